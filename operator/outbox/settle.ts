import { readReceipts } from '../../core/evm/receipts.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { areKnown } from '../../core/evm/transactions.ts';
import { settleAfterMs } from '../../core/outbox/freeNonce.ts';
import { isAcknowledgedBy, isUndone } from '../../core/outbox/marks.ts';
import { lostWithEngine, type Result, resultOf, rolledBack, undone } from '../../core/outbox/results.ts';
import { noteProblem } from './memory.ts';
import type { OpenEntry, OpenQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';

/** Reasons queried per reconcile; the rest follows in the next one. */
const maxReasons = 100;
/** A node may count a nonce a moment before it has the receipt. */
const patienceMs = 3000;

/** Finds out what happened to the transactions whose nonces are used up, or were undone, and records it in memory. */
export async function settle(snapshot: QueueSnapshot): Promise<void> {
  dropUndone(snapshot);
  await dropRolledBack(snapshot);
  await settlePast(snapshot);
  await dropAbsent(snapshot);
}

/** Drops what an API server found to be undone when it gave its nonce to another transaction. */
function dropUndone({ queue, memory }: QueueSnapshot): void {
  for (const { nonce, hash, mark } of queue.entries) {
    if (isUndone(mark, nonce)) memory.results.set(hash, undone);
    // It was accepted after it was settled and before that was stored.
    else if (mark?.queued && memory.results.get(hash) === undone) memory.results.delete(hash);
  }
}

/**
 * Drops what was mined and is not any more: sending it again would redo what somebody undid. Another process than the one that
 * mined it began from what that one had saved. A transaction that the node has in its pool again (a reorganization) is open again.
 * One that is still in a block stays mined, though the nonce of its account was set back.
 */
async function dropRolledBack(snapshot: QueueSnapshot): Promise<void> {
  const { queue, account, memory } = snapshot;
  const { partly } = queue.head.status ?? {};
  const gone = queue.entries.filter(({ nonce, hash, batch, mark }) => {
    if (nonce < account.mined || isUndone(mark, nonce)) return false;
    const result = memory.results.get(hash);
    if (result) return result.state !== 'dropped';
    return partly?.batch === batch.id && nonce < partly.mined;
  });
  for (const [entry, isKnown] of await withKnown(snapshot, gone)) {
    if (isKnown) memory.results.delete(entry.hash);
    else memory.results.set(entry.hash, isOwn(snapshot, entry) ? rolledBack : lostWithEngine);
  }
  // Known, but not in the pool.
  await settleMined(
    snapshot,
    gone.filter(({ hash }) => !memory.results.has(hash)),
  );
}

/**
 * Drops what the process that answers was to acknowledge, and has neither in a block nor in its pool. It lost nothing by itself,
 * so it was undone; or its sender died before it answered its caller.
 */
async function dropAbsent(snapshot: QueueSnapshot): Promise<void> {
  const { queue, account, memory, nowMs } = snapshot;
  const { instance } = account;
  const open = queue.entries.filter(
    (entry) =>
      entry.nonce >= account.mined &&
      !memory.results.has(entry.hash) &&
      !queue.gapTransactions.has(entry.nonce) &&
      isAcknowledgedBy(instance, entry.mark) &&
      nowMs - entry.acceptedMs >= settleAfterMs,
  );
  for (const [{ hash }, isKnown] of await withKnown(snapshot, open))
    if (!isKnown) memory.results.set(hash, undone);
}

/** Whether it was accepted for the process that answers; those of earlier versions count as such. */
function isOwn({ account }: QueueSnapshot, { mark }: OpenEntry): boolean {
  return mark === undefined || mark.instance === account.instance;
}

async function withKnown(
  { rpc }: QueueSnapshot,
  entries: readonly OpenEntry[],
): Promise<[OpenEntry, boolean][]> {
  if (entries.length === 0) return [];
  const known = await areKnown(
    rpc,
    entries.map(({ hash }) => hash),
  );
  return entries.map((entry, index) => [entry, known[index] === true]);
}

/**
 * Records which of these are in blocks, although their nonces are not used up: somebody has set the nonce of the account back.
 * Returns whether any is.
 */
export async function settleMined(
  { rpc, memory }: QueueSnapshot,
  entries: readonly Pick<OpenEntry, 'hash'>[],
): Promise<boolean> {
  const receipts = await receiptsOf(rpc, entries);
  const found = receipts.flatMap((receipt) => receipt ?? []);
  for (const receipt of found) memory.results.set(receipt.hash, await resultOf(rpc, receipt));
  return found.length > 0;
}

function receiptsOf(rpc: EvmRpc, entries: readonly Pick<OpenEntry, 'hash'>[]) {
  return readReceipts(
    rpc,
    entries.map(({ hash }) => hash),
  );
}

async function settlePast({ rpc, queue, account, memory, nowMs }: QueueSnapshot): Promise<void> {
  const past = queue.entries.filter(({ nonce, hash }) => nonce < account.mined && !memory.results.has(hash));
  const receipts = await receiptsOf(rpc, past);
  let reasons = 0;
  for (const [index, entry] of past.entries()) {
    const receipt = receipts[index];
    if (receipt && !receipt.isSuccess && reasons++ >= maxReasons) continue;
    const result = receipt ? await resultOf(rpc, receipt) : replaced(queue, entry, { memory, nowMs });
    if (result) memory.results.set(entry.hash, result);
  }
}

/** Another transaction used its nonce: it can never be mined. */
function replaced(
  { gapTransactions }: OpenQueue,
  { nonce }: OpenEntry,
  { memory, nowMs }: Pick<QueueSnapshot, 'memory' | 'nowMs'>,
): Result | undefined {
  const reason = `its nonce ${nonce} was used by another transaction of the same account`;
  if (noteProblem(memory, nonce, { kind: 'replaced', reason, sinceMs: nowMs }) < patienceMs) return undefined;
  return { state: 'dropped', reason: gapTransactions.get(nonce)?.reason ?? reason };
}
