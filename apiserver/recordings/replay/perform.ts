import type { RecordedTransaction, ReplayedTransaction } from '../../../core/api/rest/replay.ts';
import type { TransactionItem } from '../../../core/api/rest/transaction.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Sent } from '../../../core/outbox/send.ts';
import { toUnmined } from './compare.ts';
import { createFollower, type Follower } from './follow.ts';
import { createReplayReader, type ReplayReader } from './receipts.ts';
import { createScript, type Script } from './script.ts';
import type { ReplayTarget } from './target.ts';

export interface Performance {
  target: ReplayTarget;
  transactions: readonly RecordedTransaction[];
  /** Identifies the run, so that a repeated run sends nothing twice. */
  runId: string;
  clock: Clock;
}

/** Maximum transactions per batch, and the approximate maximum of their data in bytes. */
const batchSize = 500;
const batchBytes = 2_000_000;
/** How long a retryable failure is retried. */
const patienceMs = 60_000;
const pauseMs = 500;

/**
 * Sends recorded transactions to one network in order and compares their outcomes. Addresses of contracts that the
 * caller creates are predicted. A transaction that mentions a contract created by another contract waits until that
 * contract is mined. Never rejects: a transaction that could not be sent is reported as skipped, with the reason.
 */
export async function perform(performance: Performance): Promise<ReplayedTransaction[]> {
  const { target, transactions, clock } = performance;
  const reader = createReplayReader(target.rpc);
  const script = createScript(transactions, target.caller);
  const follower = createFollower({ reader, script, clock });
  const reason = await sendAll(performance, { reader, script, follower }).then(
    () => follower.failure(),
    (error: unknown) => reasonOf(error),
  );
  const answers = await follower.finish();
  return transactions.map(
    (transaction, index) =>
      answers.get(index) ?? toUnmined(transaction, `not sent: ${reason ?? 'the replay was aborted'}`),
  );
}

interface Parts {
  reader: ReplayReader;
  script: Script;
  follower: Follower;
}

async function sendAll(performance: Performance, { reader, script, follower }: Parts): Promise<void> {
  const { target, runId } = performance;
  const [maxGas, nonce] = await Promise.all([reader.blockGasLimit(), reader.pendingCount(target.caller)]);
  let base = nonce;
  script.predict(base);
  for (let first = 0; first < script.length && follower.failure() === undefined; ) {
    for (const creator of script.awaits(first)) await follower.settled(creator);
    const items = batchFrom(script, first, maxGas);
    const { hashes, firstNonce } = await sendPatiently(
      performance,
      items,
      `replay:${runId}:${target.network.metadata.uid}:${first}`,
    );
    follower.add(
      first,
      hashes.map((hash, at) => ({ hash, data: (items[at] ?? script.render(first + at, maxGas)).data })),
    );
    // Another request of the same caller may have taken nonces in between.
    const taken = firstNonce ?? (await reader.nonceOf(hashes[0] ?? ''));
    if (taken !== undefined && taken - first !== base) {
      base = taken - first;
      script.predict(base);
    }
    // A repeated run uses the batches of the previous one.
    first += hashes.length;
  }
}

/**
 * The next batch: it ends before a transaction that needs a contract created in the same batch. The first transaction
 * is sent on its own: earlier transactions of the caller may not have reached the node yet, and only the nonce that
 * the first one gets shows how many there are.
 */
function batchFrom(script: Script, first: number, maxGas: number): TransactionItem[] {
  const items: TransactionItem[] = [];
  const maxItems = first === 0 ? 1 : batchSize;
  let bytes = 0;
  for (let index = first; index < script.length && items.length < maxItems; index++) {
    if (index > first && script.awaits(index).length > 0) break;
    bytes += script.at(index).data.length / 2;
    if (index > first && bytes > batchBytes) break;
    items.push(script.render(index, maxGas));
  }
  return items;
}

async function sendPatiently(
  { target, clock }: Performance,
  items: readonly TransactionItem[],
  idempotencyKey: string,
): Promise<Sent> {
  const endMs = clock.nowMs() + patienceMs;
  for (;;) {
    try {
      return await target.send(items, idempotencyKey);
    } catch (error) {
      const canRetry = isAppError(error) && error.isRetryable && clock.nowMs() < endMs;
      if (!canRetry) throw error;
      await clock.sleep(pauseMs);
    }
  }
}

/** Includes the path of the detail, which names the item in a large batch. */
function reasonOf(error: unknown): string {
  const [detail] = isAppError(error) ? error.details : [];
  return detail ? `${messageOf(error)} (${detail.path})` : messageOf(error);
}
