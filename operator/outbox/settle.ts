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
  repeatOutcomes(snapshot);
  await dropAbsent(snapshot);
}

/** A transaction that was undone and is in a block, because it was submitted again, is mined, whichever entry one asks about. */
function repeatOutcomes({ queue, memory: { results } }: QueueSnapshot): void {
  const mined = new Map<string, Result>();
  for (const { key, hash } of queue.entries) {
    const result = results.get(key);
    if (result && result.state !== 'dropped') mined.set(hash, result);
  }
  for (const { key, hash } of queue.entries) {
    const result = results.has(key) ? mined.get(hash) : undefined;
    if (result) results.set(key, result);
  }
}

/** Drops what an API server found to be undone when it gave its nonce to another transaction. */
function dropUndone({ queue, memory }: QueueSnapshot): void {
  for (const { key, nonce, mark } of queue.entries) {
    if (isUndone(mark, nonce)) memory.results.set(key, undone);
    // It was accepted after it was settled and before that was stored.
    else if (mark?.queued && memory.results.get(key) === undone) memory.results.delete(key);
  }
}

/**
 * Drops what was mined and is not any more: sending it again would redo what somebody undid. Another process than the one that
 * mined it began from what that one had saved. A transaction that the node has in its pool again (a reorganization) is open again.
 * One that is still in a block stays mined, though the nonce of its account was set back.
 */
async function dropRolledBack(snapshot: QueueSnapshot): Promise<void> {
  const { rpc, queue, account, memory } = snapshot;
  const { partly } = queue.head.status ?? {};
  const gone = queue.entries.filter(({ key, nonce, batch, mark }) => {
    if (nonce < account.mined || isUndone(mark, nonce)) return false;
    const result = memory.results.get(key);
    if (result) return result.state !== 'dropped';
    return partly?.batch === batch.id && nonce < partly.mined;
  });
  const looked = await withKnown(snapshot, gone);
  const there = looked.flatMap(([entry, isKnown]) => (isKnown ? [entry] : []));
  // Nothing is forgotten before it is known: without its result, what a process loses meanwhile would be sent again.
  const receipts = await receiptsOf(rpc, there);
  for (const [entry, isKnown] of looked)
    if (!isKnown) memory.results.set(entry.key, isOwn(snapshot, entry) ? rolledBack : lostWithEngine);
  for (const [index, { key }] of there.entries()) {
    const receipt = receipts[index];
    if (!receipt) memory.results.delete(key);
    else if (!memory.results.has(key)) memory.results.set(key, await resultOf(rpc, receipt));
  }
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
      !memory.results.has(entry.key) &&
      !queue.gapTransactions.has(entry.nonce) &&
      isAcknowledgedBy(instance, entry.mark) &&
      nowMs - entry.acceptedMs >= settleAfterMs,
  );
  for (const [{ key }, isKnown] of await withKnown(snapshot, open))
    if (!isKnown) memory.results.set(key, undone);
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
  entries: readonly Pick<OpenEntry, 'key' | 'hash'>[],
): Promise<boolean> {
  const receipts = await receiptsOf(rpc, entries);
  for (const [index, { key }] of entries.entries()) {
    const receipt = receipts[index];
    if (receipt) memory.results.set(key, await resultOf(rpc, receipt));
  }
  return receipts.some((receipt) => receipt !== undefined);
}

function receiptsOf(rpc: EvmRpc, entries: readonly Pick<OpenEntry, 'hash'>[]) {
  return readReceipts(
    rpc,
    entries.map(({ hash }) => hash),
  );
}

async function settlePast({ rpc, queue, account, memory, nowMs }: QueueSnapshot): Promise<void> {
  const past = queue.entries.filter(({ key, nonce }) => nonce < account.mined && !memory.results.has(key));
  const receipts = await receiptsOf(rpc, past);
  let reasons = 0;
  for (const [index, entry] of past.entries()) {
    const receipt = receipts[index];
    if (receipt && !receipt.isSuccess && reasons++ >= maxReasons) continue;
    const result = receipt ? await resultOf(rpc, receipt) : replaced(queue, entry, { memory, nowMs });
    if (result) memory.results.set(entry.key, result);
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
