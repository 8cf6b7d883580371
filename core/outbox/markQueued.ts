import type { OutboxBatch, OutboxResource } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import { AppError, isAppError } from '../lib/errors.ts';
import { backoffMs } from '../lib/work/backoff.ts';
import { batchesOf } from './batches.ts';
import type { CommitDeps } from './commit.ts';
import type { KnownQueue } from './knownQueue.ts';
import { isUndone, type Marks, marksOf, packMarked } from './marks.ts';
import { withSpec } from './outboxObjects.ts';

const maxAttempts = 10;

/** The batch to mark: the one with this id, up to its last nonce in question, or the one with this idempotency key. */
export type QueuedBatch = { id: string; last: number } | { idempotencyKey: string };

/**
 * Marks a batch as queued, by one compare-and-swap write. Resolves to whether the operator sends what of it is not on the chain:
 * not if it is settled, or was found to be undone.
 */
export async function markQueued(
  { kube, clock, random }: CommitDeps,
  queue: KnownQueue,
  which: QueuedBatch,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      const head = await queue.head();
      const standing = standingOf(head, which);
      if (typeof standing === 'boolean' || !head) return standing === true;
      const spec = { ...head.spec, ...packMarked(batchesOf(head), standing) };
      queue.wrote(await kube.replace(outboxType, withSpec(head, spec)));
      return true;
    } catch (error) {
      queue.forget();
      const isWorthIt = isAppError(error, 'Conflict') || (isAppError(error) && error.isRetryable);
      if (!isWorthIt || attempt === maxAttempts) throw unanswered(error);
      await clock.sleep(backoffMs(attempt, { baseMs: 4, maxMs: 200, random }));
    }
  }
}

/** True if the batch is queued already, false if it can no longer be; otherwise the marks that queue it. */
function standingOf(head: OutboxResource | undefined, which: QueuedBatch): boolean | Marks {
  const batch = batchesOf(head).find((one) => isIts(one, which));
  if (!batch) return false;
  const marks = marksOf(head);
  const mark = marks[batch.id];
  if (mark && isUndone(mark, 'last' in which ? which.last : batch.first)) return false;
  // A batch without a mark is sent in any case.
  if (!mark || mark.queued) return true;
  return { ...marks, [batch.id]: { ...mark, queued: true } };
}

const isIts = ({ id, idempotencyKey }: OutboxBatch, which: QueuedBatch): boolean =>
  'id' in which ? id === which.id : idempotencyKey === which.idempotencyKey;

/** It is unknown what becomes of the transactions: neither the node nor kube-apiserver has answered. */
export function unanswered(cause?: unknown): AppError {
  const message =
    "the network's node has not answered, and it is not known whether the transactions are sent; repeat the request with the same Idempotency-Key";
  return new AppError('Unavailable', message, { cause, retryAfterSeconds: 2 });
}
