import { type Receipt, readReceipt } from '../evm/receipts.ts';
import { isKnownTransaction } from '../evm/transactions.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { TokenChain } from './ports.ts';

interface SentUnderKey {
  idempotencyKey: string;
  hash: string;
  /** How long to follow it; one minute when absent. */
  timeoutMs?: number;
  /** Called, perhaps more than once, while it is not mined after half a second. Its failure ends the wait. */
  onWait?: () => Promise<void>;
}

const firstPauseMs = 25;
const maxPauseMs = 2000;
/** Before that, nobody is asked why it is not mined. */
const askAfterMs = 3000;
const slowAfterMs = 500;

/**
 * Follows a transaction to its end: its receipt, or the reason why it will never have one. Throws Unavailable when it
 * has neither in time.
 */
export async function followSent(
  chain: TokenChain,
  { idempotencyKey, hash, timeoutMs = 60_000, onWait }: SentUnderKey,
  clock: Clock,
): Promise<Receipt | { dropped: string }> {
  const startMs = clock.nowMs();
  let askMs = startMs + askAfterMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const receipt = await readReceipt(chain, hash);
    if (receipt) return receipt;
    const nowMs = clock.nowMs();
    if (nowMs - startMs >= slowAfterMs) await onWait?.();
    if (nowMs >= askMs) {
      const end = await findEnd(chain, { idempotencyKey, hash });
      if (end) return end;
      askMs = nowMs + 2 * (nowMs - startMs);
    }
    if (nowMs - startMs >= timeoutMs) {
      throw new AppError('Unavailable', `transaction ${hash} is not in a block yet`, {
        retryAfterSeconds: 5,
      });
    }
    await clock.sleep(pauseMs);
  }
}

async function findEnd(
  chain: TokenChain,
  { idempotencyKey, hash }: SentUnderKey,
): Promise<Receipt | { dropped: string } | undefined> {
  const dropped = await chain.whyDropped?.(idempotencyKey, hash);
  // A node that has it in its pool may still mine it, for example after a reorganization.
  if (dropped === undefined || (await isKnownTransaction(chain, hash))) return undefined;
  // It may have been mined while the reason was looked up.
  return (await readReceipt(chain, hash)) ?? { dropped };
}
