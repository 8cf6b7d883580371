import { webhookBatchType, webhookType } from '../api/types.ts';
import { bodiesOf } from '../core/batches.ts';
import { at, namespace, useWebhooks } from './testing/scene.ts';

const scene = useWebhooks();
const { create, post, stored, secrets } = scene;

describe('rotating the signing secret', () => {
  it('names the new secret and the former one, and shows the new one once', async () => {
    const { json } = await create();
    const first = (await stored())?.spec.secretRef?.name;
    const rotated = await post(json.id, '/rotate-secret', { overlapSeconds: 60 });
    expect(rotated.status).toBe(200);
    expect(rotated.json.secret).not.toBe(json.secret);
    const { spec } = (await stored()) ?? {};
    expect(spec?.previousSecretRef?.name).toBe(first);
    const leftMs = Date.parse(spec?.previousSecretExpiresAt ?? '') - (await scene.kube.serverTimeMs());
    expect(leftMs).toBeGreaterThan(50_000);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });

  it('twice deletes the oldest secret', async () => {
    const { json } = await create();
    const [oldest] = await secrets();
    await post(json.id, '/rotate-secret', {});
    await post(json.id, '/rotate-secret', {});
    expect((await secrets()).map(({ metadata }) => metadata.name)).not.toContain(oldest?.metadata.name);
    expect(await secrets()).toHaveLength(2);
  });

  it('repeated with its Idempotency-Key rotates once', async () => {
    const { json } = await create();
    const headers = { 'Idempotency-Key': 'two' };
    const first = await post(json.id, '/rotate-secret', {}, { headers });
    const second = await post(json.id, '/rotate-secret', {}, { headers });
    expect(second.json.secret).toBe(first.json.secret);
    expect(await secrets()).toHaveLength(2);
  });
});

describe('deliveries', () => {
  it('a test event is queued with the webhook as its object, and listed', async () => {
    const { json } = await create();
    const test = await post(json.id, '/test');
    expect([test.status, test.json]).toMatchObject([
      202,
      { type: 'webhook.test', state: 'pending', attempts: 0 },
    ]);
    const [batch] = (await scene.kube.list(webhookBatchType, { namespace })).items;
    const [body = ''] = batch ? await bodiesOf(batch) : [];
    expect(JSON.parse(body)).toMatchObject({
      id: test.json.eventID,
      workspace: 'one',
      object: { id: json.id },
    });
    const { json: list } = await scene.api.request(at(json.id, '/deliveries'));
    expect(list.items).toEqual([test.json]);
  });

  it('are listed newest first, page by page', async () => {
    const { json } = await create();
    for (let at = 0; at < 3; at++) await post(json.id, '/test');
    const first = await scene.api.request(at(json.id, '/deliveries?limit=2'));
    const rest = await scene.api.request(
      at(json.id, `/deliveries?limit=2&cursor=${first.json.metadata.cursor}`),
    );
    const ids = [...first.json.items, ...rest.json.items].map(({ id }: { id: string }) => id);
    expect([first.json.items.length, new Set(ids).size]).toEqual([2, 3]);
    expect(rest.json.metadata).toEqual({});
  });

  it('are sent again with the same event id and body', async () => {
    const { json } = await create();
    const test = await post(json.id, '/test');
    const again = await post(json.id, `/deliveries/${test.json.id}/resend`);
    expect([again.status, again.json]).toMatchObject([
      202,
      { eventID: test.json.eventID, trigger: 'resend' },
    ]);
    expect(again.json.id).not.toBe(test.json.id);
    const batches = (await scene.kube.list(webhookBatchType, { namespace })).items;
    const [one, other] = await Promise.all(batches.map(bodiesOf));
    expect(one).toEqual(other);
  });

  it.each(['1.0', 'x', 't0.99', '../x'])('one that does not exist (%s) is not found', async (id) => {
    const { json } = await create();
    expect((await post(json.id, `/deliveries/${encodeURIComponent(id)}/resend`)).status).toBe(404);
  });

  it('are not queued by hand while the webhook is paused; resuming ends that', async () => {
    const { json } = await create();
    const ref = { namespace, name: 'ci' };
    await scene.kube.patch(webhookType, ref, { status: { state: 'Paused', pauseReason: 'Gone' } }, 'status');
    const paused = async () => (await scene.api.request(at(json.id))).json.status.state;
    while ((await paused()) !== 'Paused') await new Promise(setImmediate);
    const { status, json: refusal } = await post(json.id, '/test');
    expect([status, refusal.message]).toEqual([409, expect.stringContaining('POST …/resume')]);
    expect((await post(json.id, '/resume')).json.status.state).toBe('Active');
    expect((await post(json.id, '/test')).status).toBe(202);
  });
});
