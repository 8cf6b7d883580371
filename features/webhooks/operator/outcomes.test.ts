import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { kubeThrough } from '../../../core/kube/testing/mortalKube.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import type { DeliveryStatus } from '../api/batch.ts';
import { createOutcomes } from './outcomes.ts';
import type { QueuedBatch } from './queues.ts';

const delivery = (state: DeliveryStatus['state'], attempts: number): DeliveryStatus => ({
  index: 0,
  state,
  attempts,
  log: [],
});

const batch: QueuedBatch = {
  namespace: 'ws',
  name: 'hook-1',
  uid: 'u-1',
  webhookID: 'hook',
  sequence: 1,
  trigger: 'event',
  entries: [{ id: 'evt_1', type: 'network.created', key: 'net', createdAt: '2030-01-02T03:04:05Z' }],
  queuedMs: 0,
  bytes: 1,
  deliveries: [delivery('pending', 0)],
};

test('a write that is slow to arrive does not replace a later outcome of the same batch', async () => {
  const clock = createManualClock();
  const bodies: (object | undefined)[] = [];
  const bodyWith = (state: string) => ({ status: { deliveries: [{ state }] } });
  const answers: (() => void)[] = [];
  const kube = kubeThrough(createFakeKube(), {
    read: (ask) => ask(),
    async write({ body }, send) {
      await new Promise<void>((resolve) => answers.push(resolve));
      bodies.push(body);
      return send();
    },
  });
  const outcomes = createOutcomes({ kube, clock, log: silentLog });
  for (const status of [delivery('pending', 1), delivery('delivered', 2)]) {
    batch.deliveries = [status];
    outcomes.report(batch);
    clock.advance(1_000);
    await nextTurn();
  }
  const isStored = outcomes.flush();
  // The last request is answered first.
  for (; bodies.length < 2; await nextTurn()) answers.pop()?.();
  await isStored;
  expect(bodies).toMatchObject([bodyWith('pending'), bodyWith('delivered')]);
});
