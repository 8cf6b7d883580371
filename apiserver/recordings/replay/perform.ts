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
  /** The same for the same run, so that a run that is repeated sends nothing twice. */
  runId: string;
  clock: Clock;
}

/** Transactions that are sent at once, and about how many bytes of data they may have. */
const batchSize = 500;
const batchBytes = 2_000_000;
/** What is refused for the moment is tried again for so long. */
const patienceMs = 60_000;
const pauseMs = 500;

/**
 * Sends recorded transactions to one network, in their order, and compares what becomes of them. Addresses of the
 * caller's own new contracts are known beforehand; what mentions a contract that a contract creates waits until that
 * is mined. Never rejects: what could not be sent is answered as skipped, with the reason.
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
      answers.get(index) ?? toUnmined(transaction, `not sent: ${reason ?? 'the replay was given up'}`),
  );
}

interface Parts {
  reader: ReplayReader;
  script: Script;
  follower: Follower;
}

async function sendAll(performance: Performance, { reader, script, follower }: Parts): Promise<void> {
  const { target, runId } = performance;
  const [mostGas, nonce] = await Promise.all([reader.blockGasLimit(), reader.pendingCount(target.caller)]);
  let base = nonce;
  script.predict(base);
  for (let first = 0; first < script.length && follower.failure() === undefined; ) {
    for (const creator of script.awaits(first)) await follower.settled(creator);
    const items = batchFrom(script, first, mostGas);
    const { hashes, firstNonce } = await sendPatiently(
      performance,
      items,
      `replay:${runId}:${target.network.metadata.uid}:${first}`,
    );
    follower.add(
      first,
      hashes.map((hash, at) => ({ hash, data: (items[at] ?? script.render(first + at, mostGas)).data })),
    );
    // Another request of the same caller may have come in between.
    const taken = firstNonce ?? (await reader.nonceOf(hashes[0] ?? ''));
    if (taken !== undefined && taken - first !== base) {
      base = taken - first;
      script.predict(base);
    }
    // A run that is repeated goes by the batches of the one before it.
    first += hashes.length;
  }
}

/**
 * As many as go together: none that waits for what another of them creates. The first transaction goes alone: what the
 * caller has sent before may not have reached the node yet, and only a nonce that was taken tells of it.
 */
function batchFrom(script: Script, first: number, mostGas: number): TransactionItem[] {
  const items: TransactionItem[] = [];
  const most = first === 0 ? 1 : batchSize;
  let bytes = 0;
  for (let index = first; index < script.length && items.length < most; index++) {
    if (index > first && script.awaits(index).length > 0) break;
    bytes += script.at(index).data.length / 2;
    if (index > first && bytes > batchBytes) break;
    items.push(script.render(index, mostGas));
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
      const isPassing = isAppError(error) && error.isRetryable && clock.nowMs() < endMs;
      if (!isPassing) throw error;
      await clock.sleep(pauseMs);
    }
  }
}

/** Details name the item, which a batch of hundreds needs. */
function reasonOf(error: unknown): string {
  const [detail] = isAppError(error) ? error.details : [];
  return detail ? `${messageOf(error)} (${detail.path})` : messageOf(error);
}
