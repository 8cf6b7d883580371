import type { Kube } from '../kube/kube.ts';
import type { Clock } from '../lib/clock.ts';
import type { Signer } from '../signing/signer.ts';
import type { SignedTransaction } from '../signing/signing.ts';
import { type CommitDeps, createCommit } from './commit.ts';
import { createKnownQueue, type KnownQueue } from './knownQueue.ts';
import { queueNameOf, type SenderQueueRef } from './outboxObjects.ts';
import { checkSubmission, type Submission, sizeOf } from './submission.ts';

/** What was taken for a submission. */
export interface Accepted {
  /** In the order of the submission, known from the signed bytes. */
  hashes: string[];
  /** To be sent; empty when the idempotency key had been accepted before. */
  signed: SignedTransaction[];
  /** Whether an earlier submission had the same idempotency key: then this is its outcome, and nothing new was taken. */
  isRepeated: boolean;
}

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

export interface SenderQueuesOptions {
  kube: Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'delete' | 'serverTimeMs'>;
  signer: Signer;
  clock: Clock;
  /** In [0, 1); Math.random when absent. */
  random?: () => number;
}

/** Most sender queues that are remembered when nothing is under way in them. */
const maxRemembered = 2000;
const maxGroupTransactions = 1000;
const maxGroupBytes = 1_500_000;

interface Waiting {
  submission: Submission;
  resolve(accepted: Accepted): void;
  reject(error: unknown): void;
}

interface Queue {
  /** What the next write stands on. */
  known: KnownQueue;
  /** What questions are answered from. */
  seen: KnownQueue;
  waiting: Waiting[];
  isBusy: boolean;
}

export function createSenderQueues(options: SenderQueuesOptions): SenderQueues {
  const deps: CommitDeps = { random: Math.random, ...options };
  const commit = createCommit(deps);
  const queues = new Map<string, Queue>();

  function queueOf(ref: SenderQueueRef): Queue {
    const name = queueNameOf(ref);
    const queue = queues.get(name) ?? {
      known: createKnownQueue(options.kube, ref),
      seen: createKnownQueue(options.kube, ref),
      waiting: [],
      isBusy: false,
    };
    // The one used last is last.
    queues.delete(name);
    queues.set(name, queue);
    forgetOldest();
    return queue;
  }

  function forgetOldest(): void {
    for (const [name, { isBusy }] of queues) {
      if (queues.size <= maxRemembered) return;
      if (!isBusy) queues.delete(name);
    }
  }

  /** One write at a time; what comes meanwhile shares the next. */
  async function work(queue: Queue): Promise<void> {
    queue.isBusy = true;
    while (queue.waiting.length > 0) {
      const group = takeGroup(queue.waiting);
      try {
        const accepted = await commit(
          queue.known,
          group.map(({ submission }) => submission),
        );
        for (const [index, outcome] of accepted.entries()) group[index]?.resolve(outcome);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    queue.isBusy = false;
  }

  return {
    submit: (submission) =>
      new Promise((resolve, reject) => {
        checkSubmission(submission);
        const queue = queueOf(submission.queue);
        queue.waiting.push({ submission, resolve, reject });
        if (!queue.isBusy) void work(queue);
      }),
    async findByIdempotencyKey(ref, idempotencyKey) {
      const { seen } = queueOf(ref);
      seen.forget();
      const batch = await seen.find((candidate) => candidate.idempotencyKey === idempotencyKey);
      return batch && seen.hashesOf(batch);
    },
  };
}

/** The first ones that fit into one write, at least one. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let transactions = 0;
  let bytes = 0;
  const end = waiting.findIndex(({ submission }, index) => {
    transactions += submission.transactions.length;
    bytes += sizeOf(submission);
    return index > 0 && (transactions > maxGroupTransactions || bytes > maxGroupBytes);
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}
