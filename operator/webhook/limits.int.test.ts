import { jest } from '@jest/globals';
import { webhookType } from '../../core/api/resources/resources.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { openPlace } from './testing/objects.ts';
import { startWebhookOperator } from './testing/operator.ts';
import { startReceiver } from './testing/receiver.ts';

jest.setTimeout(120_000);

const kube = createTestKube();
afterEach(async () => {
  for (const { metadata } of (await kube.list(webhookType)).items) await kube.delete(webhookType, metadata);
});
afterAll(() => kube.close());

it('a queue that is full loses the oldest events, and the receiver gets to know how many', async () => {
  const place = await openPlace(kube);
  const receiver = await startReceiver();
  // A ninetieth of a MiB: a few batches.
  const operator = await startWebhookOperator(kube, { deliveries: { queueMiB: 1 / 90 } });
  const { metadata } = await place.webhook('ci', { url: receiver.url, paused: true });
  await operator.reach('ci', ({ status }) => status?.state === 'Paused');
  const names = Array.from({ length: 10 }, (_, at) => `net-${at}`);
  for (const name of names) {
    await place.network(name);
    const isQueued = async () =>
      (await operator.caches.batches.byIndex('webhook', metadata.uid)).some(
        ({ spec }) => spec.entries.length > 0,
      );
    await operator.until(isQueued);
    await operator.pass(1_000);
  }
  await operator.until(async () => (await place.batches()).some(({ spec }) => (spec.gap?.dropped ?? 0) > 0));
  await kube.patch(webhookType, metadata, { spec: { paused: null } });
  const gapOf = () => receiver.received.find(({ event }) => event.type === 'webhook.gap');
  const created = () => receiver.received.filter(({ event }) => event.type === 'network.created');
  await operator.until(
    () => gapOf() !== undefined && created().some(({ event }) => event.object.name === 'net-9'),
  );
  await operator.until(() => created().length + gapOf()?.event.object.dropped === names.length);
  expect(gapOf()?.event.object).toMatchObject({ kind: 'WebhookGap', reason: 'BudgetExceeded' });
  expect(created().map(({ event }) => event.object.name)).not.toContain('net-0');
  await operator.stop();
  await receiver.close();
});
