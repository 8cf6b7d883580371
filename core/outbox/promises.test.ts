import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { createManualClock } from '../lib/manualClock.ts';
import { batchesOf } from './batches.ts';
import { marksOf } from './marks.ts';
import { undone } from './results.ts';
import { createAcceptance } from './sending/acceptance.ts';
import { createSendProgress } from './sending/sendProgress.ts';
import type { Submission } from './submission.ts';
import { aSubmission, headOf, queue, queuesOver } from './testing/senderQueues.ts';

let kube: FakeKube;
beforeEach(() => {
  kube = createFakeKube();
});

/** A node that has none of what was accepted, and whose account has used the nonces before `count`. */
const emptyFrom = (count: number): Partial<Submission> => ({
  node: {
    instance: '0x01',
    pendingCount: count,
    countNonces: async () => count,
    areKnown: async (hashes) => hashes.map(() => false),
  },
  progressOf: () => 'acknowledged',
});

test('a sender that was paused until others had judged what it stored does not send it, and does not say that it is accepted', async () => {
  const clock = createManualClock();
  const queues = queuesOver(kube);
  const { signed, batch } = await queues.submit(aSubmission());
  const acceptance = createAcceptance(
    { queues, clock, queue },
    { signed, batch, begunMs: clock.steadyMs(), isQueued: false },
  );
  clock.advance(4000);
  // Another replica finds that the node lacks it, and gives its nonce away.
  await queuesOver(kube).submit(aSubmission(emptyFrom(0)));
  await expect(acceptance.begin()).rejects.toMatchObject({ reason: 'Unavailable' });
  expect(acceptance.mayBegin()).toBe(false);
  await expect(acceptance.of(Promise.resolve([]))).rejects.toMatchObject({ reason: 'Unavailable' });
});

test('a sender that was paused sends what nobody has judged, after it is stored that it has to be sent', async () => {
  const clock = createManualClock();
  const queues = queuesOver(kube);
  const { signed, batch } = await queues.submit(aSubmission());
  const stored = { signed, batch, begunMs: clock.steadyMs(), isQueued: false };
  const acceptance = createAcceptance({ queues, clock, queue }, stored);
  clock.advance(4000);
  await acceptance.begin();
  expect(acceptance.mayBegin()).toBe(true);
  expect(marksOf(await headOf(kube))[batch]).toEqual({ instance: '0x01', queued: true });
});

test('a transaction that another replica is sending again after a revert is not taken for undone', async () => {
  const progress = createSendProgress();
  const own = await queuesOver(kube).submit(aSubmission());
  await progress.follow(own, Promise.resolve([{ kind: 'sent' }]));
  const other = await queuesOver(kube).submit(aSubmission(emptyFrom(0)));
  expect(other.hashes).toEqual(own.hashes);
  // It arrives between two looks.
  const answers = [false, true];
  const { node } = aSubmission();
  const areKnown = async () => [answers.shift() ?? true];
  const last = await queuesOver(kube).submit(
    aSubmission({ node: { ...node, areKnown }, progressOf: progress.of }),
  );
  expect(last.signed.map(({ nonce }) => nonce)).toEqual([1]);
  expect(marksOf(await headOf(kube))[other.batch]).toEqual({ instance: '0x01' });
});

test('of a batch that was undone in part, a repeated key is not told that nothing came of it', async () => {
  const queues = queuesOver(kube);
  await queues.submit(aSubmission({ count: 3, idempotencyKey: 'part' }));
  await queues.submit(aSubmission({ count: 1, idempotencyKey: 'whole' }));
  await queues.submit(aSubmission(emptyFrom(1)));
  expect((await queues.findByIdempotencyKey(queue, 'part'))?.results).toEqual([]);
  expect((await queues.findByIdempotencyKey(queue, 'whole'))?.results).toEqual([undone]);
});

test('a submission is not promised because the one before it in the same write is', async () => {
  const queues = queuesOver(kube);
  const submit = (more: Partial<Submission> = {}) => queues.submit(aSubmission({ user: 'ann', ...more }));
  await submit();
  await Promise.all([submit({ isQueued: true }), submit()]);
  const head = await headOf(kube);
  const marks = marksOf(head);
  expect(batchesOf(head).map(({ id }) => marks[id]?.queued)).toEqual([undefined, true, undefined]);
});
