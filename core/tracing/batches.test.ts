import { settle } from '../kube/testing/settle.ts';
import { createManualClock } from '../lib/manualClock.ts';
import { createBatches, type SpanOutcome } from './batches.ts';

const limits = { queue: 4, batch: 2, waitMs: 1000 };

function start() {
  const clock = createManualClock();
  const sent: number[][] = [];
  const pending: PromiseWithResolvers<void>[] = [];
  const counts: Partial<Record<SpanOutcome, number>> = {};
  const batches = createBatches<number>({
    clock,
    limits,
    send(batch) {
      sent.push(batch);
      const answer = Promise.withResolvers<void>();
      pending.push(answer);
      return answer.promise;
    },
    count(outcome, spans) {
      counts[outcome] = (counts[outcome] ?? 0) + spans;
    },
  });
  return { batches, clock, sent, pending, counts };
}

it('a full batch goes at once, a smaller one when its first span has waited', async () => {
  const { batches, clock, sent, pending } = start();
  for (const span of [1, 2, 3]) batches.add(span);
  expect(sent).toEqual([[1, 2]]);
  pending[0]?.resolve();
  await settle();
  clock.advance(999);
  expect(sent).toEqual([[1, 2]]);
  clock.advance(1);
  expect(sent).toEqual([[1, 2], [3]]);
});

it('one batch is on its way at a time, and what finds no room meanwhile is dropped', async () => {
  const { batches, clock, sent, pending, counts } = start();
  for (const span of [1, 2, 3, 4, 5, 6, 7]) batches.add(span);
  clock.advance(10_000);
  expect(sent).toEqual([[1, 2]]);
  expect(counts).toEqual({ dropped: 1 });
  pending[0]?.resolve();
  await settle();
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

it('a batch that fails is counted and not repeated', async () => {
  const { batches, clock, sent, pending, counts } = start();
  for (const span of [1, 2]) batches.add(span);
  pending[0]?.reject(new Error('refused'));
  await settle();
  clock.advance(10_000);
  expect(sent).toEqual([[1, 2]]);
  expect(counts).toEqual({ failed: 2 });
});

it('at the end, what waits is sent, and what comes later is dropped', async () => {
  const { batches, sent, pending, counts } = start();
  batches.add(1);
  const closing = batches.close(3000);
  batches.add(2);
  pending[0]?.resolve();
  await settle();
  await closing;
  expect(sent).toEqual([[1]]);
  expect(counts).toEqual({ exported: 1, dropped: 1 });
});

it('the end does not wait longer than it may', async () => {
  const { batches, clock, counts } = start();
  for (const span of [1, 2, 3]) batches.add(span);
  const closing = batches.close(3000);
  clock.advance(3000);
  await closing;
  expect(counts).toEqual({ dropped: 1 });
});
