import type { Submitted } from '../findSubmitted.ts';
import { unanswered } from '../markQueued.ts';
import type { SenderQueueRef } from '../outboxObjects.ts';
import { isUndone } from '../results.ts';
import type { SenderQueues } from '../senderQueues.ts';

/** Between a key and the number of an attempt. Keys of callers cannot have it: they are hashed, or name steps. */
const separator = '~';

interface Repeated {
  queue: SenderQueueRef;
  idempotencyKey: string;
  known: Submitted;
  /** Which of these transactions the node has; absent when it cannot be asked. */
  areKnown?: ((hashes: readonly string[]) => Promise<boolean[]>) | undefined;
}

/**
 * Confirms what was accepted earlier under an idempotency key: the process that accepted it may have died before it sent or
 * answered, and others would then settle it as dropped.
 */
export async function promiseAgain(
  queues: Pick<SenderQueues, 'markQueued'>,
  { queue, idempotencyKey, known, areKnown }: Repeated,
): Promise<void> {
  if (known.results.length > 0) return;
  const isThere = areKnown && (await areKnown(known.hashes).catch(() => [false])).every((one) => one);
  if (isThere || (await queues.markQueued(queue, { idempotencyKey }))) return;
  // Others have settled it meanwhile: the next request finds the outcome.
  throw unanswered();
}

/** Whether nothing of it is on the chain: repeating the request makes a new attempt. */
export function isUndoneWhole({ hashes, results }: Submitted): boolean {
  return results.length === hashes.length && results.length > 0 && results.every(isUndone);
}

/** The key of the next attempt under a key. */
export function nextKeyOf(idempotencyKey: string): string {
  const [key, count = '1'] = idempotencyKey.split(separator);
  return `${key}${separator}${Number(count) + 1}`;
}
