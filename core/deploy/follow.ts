import { type Receipt, readReceipt } from '../evm/receipts.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { TokenChain } from './ports.ts';

interface SentUnderKey {
  idempotencyKey: string;
  hash: string;
}

const firstPauseMs = 25;
const maxPauseMs = 2000;
const timeoutMs = 60_000;
/** What is mined sooner is not worth the question. */
const askAfterMs = 3000;

/**
 * Follows a transaction to its end: its receipt, or the reason why it will never have one. Throws Unavailable after one
 * minute.
 */
export async function followSent(
  chain: TokenChain,
  { idempotencyKey, hash }: SentUnderKey,
  clock: Clock,
): Promise<Receipt | { dropped: string }> {
  const startMs = clock.nowMs();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const receipt = await readReceipt(chain, hash);
    if (receipt) return receipt;
    const passedMs = clock.nowMs() - startMs;
    const dropped = passedMs < askAfterMs ? undefined : await chain.whyDropped?.(idempotencyKey, hash);
    // It may have been mined while the reason was looked up.
    if (dropped !== undefined) return (await readReceipt(chain, hash)) ?? { dropped };
    if (passedMs >= timeoutMs) {
      throw new AppError('Unavailable', `transaction ${hash} is not in a block yet`, {
        retryAfterSeconds: 5,
      });
    }
    await clock.sleep(pauseMs);
  }
}
