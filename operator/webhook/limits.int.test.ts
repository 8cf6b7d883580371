import { jest } from '@jest/globals';
import { webhookType } from '../../core/api/resources/resources.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { openPlace } from './testing/objects.ts';
import { startWebhookOperator, type WebhookOperator } from './testing/operator.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

jest.setTimeout(120_000);

const kube = createTestKube();
let operator: WebhookOperator;
let receiver: Receiver;
afterEach(async () => {
  // One that went on would deliver what belongs to others.
  await operator.stop();
  await receiver.close();
});
afterAll(() => kube.close());

it('a queue that is full loses the oldest events, and the receiver gets to know how many', async () => {
  const place = await openPlace(kube);
  receiver = await startReceiver();
  // Room for a few batches.
  operator = await startWebhookOperator(kube, {
    namespace: place.namespace,
    deliveries: { queueMiB: 1 / 90 },
  });
  const { metadata } = await place.webhook('ci', { url: receiver.url, paused: true });
  await operator.reach('ci', ({ status }) => status?.state === 'Paused');
  const names = Array.from({ length: 10 }, (_, at) => `net-${at}`);
  // One batch for each network: those that wait together would share one.
  const counted = async () => {
    const specs = (await place.batches()).map(({ spec }) => spec);
    const queued = specs.reduce((sum, { gap, entries }) => sum + (gap ? 0 : entries.length), 0);
    return queued + Math.max(0, ...specs.map(({ gap }) => gap?.dropped ?? 0));
  };
  for (const [at, name] of names.entries()) {
    await place.network(name);
    await operator.until(async () => (await counted()) === at + 1);
    await operator.pass(1_000);
  }
  await operator.until(async () => (await place.batches()).some(({ spec }) => (spec.gap?.dropped ?? 0) > 0));
  await kube.patch(webhookType, metadata, { spec: { paused: null } });
  const gapOf = () => receiver.received.find(({ event }) => event.type === 'webhook.gap');
  const created = () => receiver.received.filter(({ event }) => event.type === 'network.created');
  await operator.until(
    () => gapOf() !== undefined && created().some(({ event }) => event.object.name === 'net-9'),
  );
  // None is lost without being counted. On a slow machine one that is delivered can be counted as well.
  await operator.until(() => created().length + gapOf()?.event.object.dropped >= names.length);
  expect(gapOf()?.event.object).toMatchObject({ kind: 'WebhookGap', reason: 'BudgetExceeded' });
  expect(created().map(({ event }) => event.object.name)).not.toContain('net-0');
});
