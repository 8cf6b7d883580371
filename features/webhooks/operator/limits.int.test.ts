import type { Kube } from '../../../core/kube/kube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';
import { webhookType } from '../api/types.ts';
import { sizeOf } from './queues.ts';
import { openPlace } from './testing/objects.ts';
import { startWebhookOperator, type WebhookOperator } from './testing/operator.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

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
  const queueMiB = 1 / 90;
  operator = await startWebhookOperator(kube, {
    namespace: place.namespace,
    deliveries: { queueMiB },
  });
  const { metadata } = await place.webhook('ci', { url: receiver.url, paused: true });
  await operator.reach('ci', ({ status }) => status?.state === 'Paused');
  const names = Array.from({ length: 10 }, (_, at) => `net-${at}`);
  // One batch for each network: those that wait together would share one.
  const counted = async () => {
    const specs = (await place.batches()).map(({ spec }) => spec);
    // A batch that a gap counts is deleted a moment later.
    const through = Math.max(0, ...specs.map(({ gap }) => gap?.through ?? 0));
    const queued = specs.filter(({ gap, sequence }) => !gap && sequence > through);
    const dropped = Math.max(0, ...specs.map(({ gap }) => gap?.dropped ?? 0));
    return queued.reduce((sum, { entries }) => sum + entries.length, dropped);
  };
  for (const [at, name] of names.entries()) {
    await place.network(name);
    await operator.until(async () => (await counted()) === at + 1);
    await operator.pass(1_000);
  }
  // Room is made after an event is stored. One that is delivered meanwhile would be counted as lost, too.
  const usedBytes = async () =>
    (await place.batches()).reduce((sum, { spec }) => sum + sizeOf({ ...spec, deliveries: [] }), 0);
  await operator.until(async () => (await usedBytes()) <= queueMiB * 1024 * 1024);
  await kube.patch(webhookType, metadata, { spec: { paused: null } });
  const gapOf = () => receiver.received.find(({ event }) => event.type === 'webhook.gap');
  const created = () => receiver.received.filter(({ event }) => event.type === 'network.created');
  await operator.until(
    () => gapOf() !== undefined && created().some(({ event }) => event.object.name === 'net-9'),
  );
  await operator.until(() => created().length + gapOf()?.event.object.dropped === names.length);
  expect(gapOf()?.event.object).toMatchObject({ kind: 'WebhookGap', reason: 'BudgetExceeded' });
  expect(created().map(({ event }) => event.object.name)).not.toContain('net-0');
});

it.each(['Forbidden', 'BadRequest'] as const)(
  'events that Kubernetes refuses to store for one webhook (%s) end in a gap, and others do not wait',
  async (reason) => {
    const place = await openPlace(kube);
    const others = await startReceiver();
    receiver = await startReceiver();
    let isRefused = false;
    const refusing: Kube = {
      ...kube,
      create: (type, object) =>
        isRefused && object.metadata.ownerReferences?.some(({ name }) => name === 'ci')
          ? Promise.reject(new AppError(reason, 'exceeded quota'))
          : kube.create(type, object),
    };
    operator = await startWebhookOperator(refusing, { namespace: place.namespace });
    for (const [name, { url }] of Object.entries({ ci: receiver, other: others })) {
      await place.webhook(name, { url, types: ['network.*'] });
      await operator.reach(name, ({ status }) => status?.state === 'Active');
    }
    const namesAt = ({ received }: Receiver) => received.map(({ event }) => event.object.name);
    isRefused = true;
    await place.network('refused');
    await operator.until(() => namesAt(others).includes('refused'));
    isRefused = false;
    await operator.until(() => receiver.received.some(({ event }) => event.type === 'webhook.gap'));
    await place.network('after');
    await operator.until(() => namesAt(receiver).includes('after'));
    expect(namesAt(receiver)).not.toContain('refused');
    await others.close();
  },
);
