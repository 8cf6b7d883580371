import type { BatchMark, OutboxBatch, OutboxResource } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import { backoffMs } from '../kube/backoff.ts';
import type { Stored } from '../kube/kube.ts';
import { AppError, isAppError } from '../lib/errors.ts';
import { batchesOf } from './batches.ts';
import type { CommitDeps } from './commit.ts';
import type { KnownQueue } from './knownQueue.ts';
import { isUndone, type Marks, marksOf, packMarked } from './marks.ts';
import { withSpec } from './outboxObjects.ts';

const maxAttempts = 10;

/** The batches to mark: those with transactions of these nonces, or the one with this idempotency key. */
export type QueuedBatches = { nonces: readonly number[] } | { idempotencyKey: string };

/** Marks batches as queued, by one compare-and-swap write; none when they are all settled. */
export async function markQueued(
  { kube, clock, random }: CommitDeps,
  queue: KnownQueue,
  which: QueuedBatches,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const head = await queue.head();
      const marks = head && marksWith(head, which);
      if (!head || !marks) return;
      const spec = { ...head.spec, ...packMarked(batchesOf(head), marks) };
      queue.wrote(await kube.replace(outboxType, withSpec(head, spec)));
      return;
    } catch (error) {
      queue.forget();
      const isWorthIt = isAppError(error, 'Conflict') || (isAppError(error) && error.isRetryable);
      if (!isWorthIt || attempt === maxAttempts) throw unanswered(error);
      await clock.sleep(backoffMs(attempt, { baseMs: 4, maxMs: 200, random }));
    }
  }
}

/** Undefined when there is nothing to mark. */
function marksWith(head: Stored<OutboxResource>, which: QueuedBatches): Marks | undefined {
  const marks = marksOf(head);
  const changed = batchesOf(head).flatMap((batch) => {
    const mark = marks[batch.id];
    const isMarked = mark && !mark.queued && isIts(batch, mark, which);
    return isMarked ? [[batch.id, { ...mark, queued: true as const }] as const] : [];
  });
  return changed.length === 0 ? undefined : { ...marks, ...Object.fromEntries(changed) };
}

function isIts(
  { first, count, idempotencyKey }: OutboxBatch,
  mark: BatchMark,
  which: QueuedBatches,
): boolean {
  if ('idempotencyKey' in which) return idempotencyKey === which.idempotencyKey && mark.undone === undefined;
  return which.nonces.some((nonce) => nonce >= first && nonce < first + count && !isUndone(mark, nonce));
}

function unanswered(cause: unknown): AppError {
  const message =
    "the network's node has not answered, and it is not known whether the transactions are sent; repeat the request with the same Idempotency-Key";
  return new AppError('Unavailable', message, { cause, retryAfterSeconds: 2 });
}
