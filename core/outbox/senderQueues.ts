import { createSerializedWriter } from '../lib/serializedWriter.ts';
import { type CommitDeps, createCommit } from './commit.ts';
import type { SenderQueuesOptions } from './deps.ts';
import { createKnownQueue, type KnownQueue } from './knownQueue.ts';
import { queueNameOf, type SenderQueueRef } from './outboxObjects.ts';
import { type Accepted, checkSubmission, type Submission, sizeOf } from './submission.ts';

/**
 * Nonces and the order in which a signer's transactions are sent. Any number of processes may hold sender queues of the same
 * signer: the write to the Outbox is the lock.
 */
export interface SenderQueues {
  /**
   * Takes nonces, signs, and writes the signed bytes down; resolves when that is durable, and before anything is
   * sent: sending is up to the caller, and to the operator whenever the caller does not get to it. The same idempotency key on
   * the same sender queue gives the same hashes, for at least an hour after it was mined. Submissions of a sender queue that come
   * together share a write. Rejects with BadRequest (too many or too large), or Unavailable: then nothing was taken,
   * unless Kubernetes itself did not answer; who needs to know repeats with the same idempotency key.
   */
  submit(submission: Submission): Promise<Accepted>;
  /** The hashes that an idempotency key has come to on a sender queue, as of now; undefined when it is new. */
  findByIdempotencyKey(queue: SenderQueueRef, idempotencyKey: string): Promise<string[] | undefined>;
}

/** Most sender queues that are remembered when nothing is under way in them. */
const maxRemembered = 2000;
const maxGroupTransactions = 1000;
const maxGroupBytes = 1_500_000;

interface Queue {
  /** What the next write stands on. */
  known: KnownQueue;
  /** What questions are answered from. */
  seen: KnownQueue;
}

export function createSenderQueues(options: SenderQueuesOptions): SenderQueues {
  const deps: CommitDeps = { random: Math.random, ...options };
  const commit = createCommit(deps);
  const queues = new Map<string, Queue>();
  const writer = createSerializedWriter<Submission, Accepted>({
    write(_name, [first, ...others]) {
      if (!first) return Promise.resolve([]);
      return commit(queueOf(first.queue).known, [first, ...others]);
    },
    groupSize: groupSizeOf,
  });

  function queueOf(ref: SenderQueueRef): Queue {
    const name = queueNameOf(ref);
    const queue = queues.get(name) ?? {
      known: createKnownQueue(options.kube, ref),
      seen: createKnownQueue(options.kube, ref),
    };
    // The one used last is last.
    queues.delete(name);
    queues.set(name, queue);
    forgetOldest();
    return queue;
  }

  function forgetOldest(): void {
    for (const name of queues.keys()) {
      if (queues.size <= maxRemembered) return;
      if (!writer.isBusy(name)) queues.delete(name);
    }
  }

  return {
    async submit(submission) {
      checkSubmission(submission);
      return writer.write(queueNameOf(submission.queue), submission);
    },
    async findByIdempotencyKey(ref, idempotencyKey) {
      const { seen } = queueOf(ref);
      seen.forget();
      const batch = await seen.find((candidate) => candidate.idempotencyKey === idempotencyKey);
      return batch && seen.hashesOf(batch);
    },
  };
}

/** How many submissions, from the first on, fit into one write. */
function groupSizeOf(waiting: readonly Submission[]): number {
  let transactions = 0;
  let bytes = 0;
  const end = waiting.findIndex((submission, index) => {
    transactions += submission.transactions.length;
    bytes += sizeOf(submission);
    return index > 0 && (transactions > maxGroupTransactions || bytes > maxGroupBytes);
  });
  return end === -1 ? waiting.length : end;
}
