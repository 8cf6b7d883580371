import { type Receipt, readReceipt } from '../evm/receipts.ts';
import { isKnownTransaction } from '../evm/transactions.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { TokenChain } from './ports.ts';

/** `dropped`: it is in no block and never will be. */
export type TransactionOutcome = { state: 'mined'; receipt: Receipt } | { state: 'dropped'; reason: string };

interface SentOnce {
  idempotencyKey: string;
  hash: string;
  /** How long to wait; one minute when absent. */
  timeoutMs?: number;
}

const firstPauseMs = 25;
const maxPauseMs = 2000;
/** Most transactions are in a block by then. Only after this time is the record of what was sent searched. */
const patienceMs = 3000;

/** Waits until a transaction is in a block or was dropped, polling with increasing pauses. Throws Unavailable when late. */
export async function awaitOutcome(
  chain: TokenChain,
  { idempotencyKey, hash, timeoutMs = 60_000 }: SentOnce,
  clock: Clock,
): Promise<TransactionOutcome> {
  const startMs = clock.nowMs();
  let searchMs = startMs + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const receipt = await readReceipt(chain, hash);
    if (receipt) return { state: 'mined', receipt };
    const nowMs = clock.nowMs();
    if (nowMs >= searchMs) {
      const ended = await findEnd(chain, idempotencyKey, hash);
      if (ended) return ended;
      searchMs = nowMs + 2 * (nowMs - startMs);
    }
    if (nowMs - startMs >= timeoutMs) {
      throw new AppError('Unavailable', `transaction ${hash} is not in a block yet`, {
        retryAfterSeconds: 5,
      });
    }
    await clock.sleep(pauseMs);
  }
}

/** The receipt is read once more at the end: the transaction may have been mined in between. */
async function findEnd(
  chain: TokenChain,
  idempotencyKey: string,
  hash: string,
): Promise<TransactionOutcome | undefined> {
  const reason = await chain.findDropReason(idempotencyKey, hash);
  if (reason === undefined || (await isKnownTransaction(chain, hash))) return undefined;
  const receipt = await readReceipt(chain, hash);
  return receipt ? { state: 'mined', receipt } : { state: 'dropped', reason };
}
