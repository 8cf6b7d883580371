import { reportStatus } from '../../../apiserver/testing/reportStatus.ts';
import { type Ids, none } from '../../../apiserver/testing/tenantRow.ts';
import { gone, type Item, there, type Walk } from '../../../apiserver/testing/walk.ts';
import { withNewId } from '../../../core/api/ids.ts';
import type { TestFeature } from '../../../test/feature.ts';
import { webhookType } from '../api/types.ts';
import { newBatch } from '../core/batches.ts';
import { generatedNameOf, newSecretObject } from '../core/signingSecrets.ts';
import { aWebhook } from './builders.ts';

const webhookRow = ({ webhook }: Ids) => ({ params: { id: webhook } });

async function walk({ post, write, remove, read, idsAt, inList, shownAt }: Walk): Promise<void> {
  const path = `/v1alpha/webhooks`;
  const target = { url: 'https://example.com/hook' };
  const { id } = (await post('createWebhook', path, { name: 'ci', spec: target })).json;
  const own = `${path}/${id}`;
  expect(await shownAt(own, path, id)).toEqual(there);
  const pausedAt = async () => [
    (await read(own)).spec.paused,
    ((await inList(path, id))?.spec as Item | undefined)?.paused,
  ];
  await write('replaceWebhook', own, { body: { spec: { ...target, paused: true } } });
  expect(await pausedAt()).toEqual([true, true]);
  await write('resumeWebhook', `${own}/resume`);
  expect(await pausedAt()).toEqual([undefined, undefined]);
  const before = await idsAt(`/v1alpha/secrets?selector=metadata.ownerID%20!%3D%20x`);
  await post('rotateWebhookSecret', `${own}/rotate-secret`);
  expect((await read(own)).spec.previousSecretExpiresAt).toBeDefined();
  expect((await idsAt(`/v1alpha/secrets?selector=metadata.ownerID%20!%3D%20x`)).length).toBe(
    before.length + 1,
  );
  const test = (await write('testWebhook', `${own}/test`)).json.id;
  expect(await idsAt(`${own}/deliveries`)).toContain(test);
  const again = (await write('resendWebhookDelivery', `${own}/deliveries/${test}/resend`)).json.id;
  expect(await idsAt(`${own}/deliveries`)).toContain(again);
  await remove('deleteWebhook', own);
  expect(await shownAt(own, path, id)).toEqual(gone);
}

export const feature: TestFeature = {
  tenantRows: {
    listWebhooks: none,
    createWebhook: none,
    getWebhook: webhookRow,
    replaceWebhook: (ids) => ({ ...webhookRow(ids), body: { spec: { url: 'https://example.com/hook' } } }),
    deleteWebhook: webhookRow,
    rotateWebhookSecret: (ids) => ({ ...webhookRow(ids), body: {} }),
    testWebhook: webhookRow,
    resumeWebhook: webhookRow,
    listWebhookDeliveries: webhookRow,
    resendWebhookDelivery: ({ webhook }) => ({ params: { id: webhook, deliveryId: '1.0' } }),
  },
  objects: { webhook: { type: webhookType, make: aWebhook } },
  walks: { 'webhooks, their secrets and what they send': walk },
  operate: (kube) => [
    reportStatus(kube, webhookType, ({ metadata, spec, status }) => {
      const state = spec.paused ? 'Paused' : 'Active';
      const resumed = metadata.annotations?.['slipway.dev/resume'];
      const isNews = status?.state !== state || resumed !== status.resumed;
      return isNews ? { state, since: '1', ...(resumed ? { resumed } : {}) } : undefined;
    }),
  ],
  async backup({ create, sealer, namespace }) {
    const hook = await create(withNewId(aWebhook({ name: 'hook', namespace })));
    const createdAt = '2026-01-01T00:00:00Z';
    const event = { id: 'e', type: 'network.created', key: 'net', createdAt, body: '{}' };
    await create(await newBatch(hook, { suffix: '7', trigger: 'event', sequence: 7, events: [event] }));
    const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
    await create(withNewId(newSecretObject(sealer, hook, { name: generatedNameOf(hook), secret })));
  },
};
