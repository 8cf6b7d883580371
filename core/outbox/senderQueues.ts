import { createSerializedWriter } from '../lib/work/serializedWriter.ts';
import { type CommitDeps, createCommit } from './commit.ts';
import type { SenderQueuesOptions } from './deps.ts';
import { checkDigest, type Submitted } from './findSubmitted.ts';
import { createKnownQueue, type KnownQueue } from './knownQueue.ts';
import { markQueued, type QueuedBatch } from './markQueued.ts';
import { queueNameOf, type SenderQueueRef } from './outboxObjects.ts';
import { type Accepted, checkSubmission, type Submission, sizeOf } from './submission.ts';

/**
 * Allocates nonces and thereby the order in which a signer's transactions are sent. Any number of processes may hold
 * sender queues of the same signer: the write to the Outbox is the lock.
 */
export interface SenderQueues {
  /**
   * Allocates nonces, signs, and persists the signed bytes. Resolves when they are durable and before anything is sent:
   * the caller sends them, or the operator if the caller does not. The same idempotency key on the same sender queue
   * gives the same hashes for a day after the transactions were mined. Concurrent submissions to a sender queue share a
   * write. Rejects with BadRequest (too many or too large), Conflict (the key was used for something else) or
   * Unavailable: then nothing was allocated, unless Kubernetes itself did not answer; retry with the same idempotency
   * key to find out.
   */
  submit(submission: Submission): Promise<Accepted>;
  /**
   * Stores that transactions may have to be sent later, by the operator. Resolves to whether it sends them: not what is settled,
   * or undone, by now. Rejects with Unavailable when that cannot be stored.
   */
  markQueued(queue: SenderQueueRef, which: QueuedBatch): Promise<boolean>;
  /** What was submitted under this idempotency key on a sender queue, as of now; undefined when the key is new. */
  findByIdempotencyKey(queue: SenderQueueRef, idempotencyKey: string): Promise<Submitted | undefined>;
}

/** The maximum number of idle sender queues to remember. */
const maxRemembered = 2000;
/** What is known of a sender queue is as large as its object: it is read again when the queue was not used for so long. */
const rememberedMs = 60_000;
const maxGroupTransactions = 1000;
const maxGroupBytes = 1_500_000;

interface Queue {
  /** The state that the next write is based on. */
  known: KnownQueue;
  /** The state that lookups use. */
  seen: KnownQueue;
  usedMs: number;
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
      known: createKnownQueue(options.kube, ref, options.watched),
      seen: createKnownQueue(options.kube, ref),
      usedMs: 0,
    };
    queue.usedMs = deps.clock.nowMs();
    // Move the queue to the end: the map is ordered by last use.
    queues.delete(name);
    queues.set(name, queue);
    forgetIdle();
    return queue;
  }

  function forgetIdle(): void {
    for (const [name, { usedMs }] of queues) {
      const isIdle = deps.clock.nowMs() - usedMs >= rememberedMs;
      if (!isIdle && queues.size <= maxRemembered) return;
      if (!writer.isBusy(name)) queues.delete(name);
    }
  }

  return {
    async submit(submission) {
      checkSubmission(submission);
      const accepted = await writer.write(queueNameOf(submission.queue), submission);
      checkDigest(accepted, submission.digest);
      return accepted;
    },
    markQueued: (ref, which) => markQueued(deps, queueOf(ref).known, which),
    async findByIdempotencyKey(ref, idempotencyKey) {
      const { seen } = queueOf(ref);
      seen.forget();
      return seen.findByKey(idempotencyKey);
    },
  };
}

/** How many submissions, starting with the first, fit into one write. */
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
