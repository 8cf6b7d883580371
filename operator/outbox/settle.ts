import { readReceipts } from '../../core/evm/receipts.ts';
import { type Result, resultOf, rolledBack } from '../../core/outbox/results.ts';
import { noteProblem } from './memory.ts';
import type { OpenEntry, OpenQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';
import { areKnown } from './readAccountState.ts';

/** Reasons queried per reconcile; the rest follows in the next one. */
const maxReasons = 100;
/** A node may count a nonce a moment before it has the receipt. */
const patienceMs = 3000;

/** Finds out what happened to the transactions whose nonces are used up, and records it in memory. */
export async function settle(snapshot: QueueSnapshot): Promise<void> {
  await dropRolledBack(snapshot);
  await settleMined(snapshot);
}

/**
 * Drops what was mined and then undone, because somebody set the chain back: sending it again would redo it.
 * A transaction that the node has in its pool again (a reorganization) is open again.
 */
async function dropRolledBack({ rpc, queue, account, memory }: QueueSnapshot): Promise<void> {
  const { partly } = queue.head.status ?? {};
  const gone = queue.entries.filter(({ nonce, hash, batch }) => {
    if (nonce < account.mined) return false;
    const result = memory.results.get(hash);
    if (result) return result.state !== 'dropped';
    return partly?.batch === batch.id && nonce < partly.mined;
  });
  if (gone.length === 0) return;
  const known = await areKnown(
    rpc,
    gone.map(({ hash }) => hash),
  );
  for (const [index, { hash }] of gone.entries()) {
    if (known[index]) memory.results.delete(hash);
    else memory.results.set(hash, rolledBack);
  }
}

async function settleMined({ rpc, queue, account, memory, nowMs }: QueueSnapshot): Promise<void> {
  const past = queue.entries.filter(({ nonce, hash }) => nonce < account.mined && !memory.results.has(hash));
  const receipts = await readReceipts(
    rpc,
    past.map(({ hash }) => hash),
  );
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
