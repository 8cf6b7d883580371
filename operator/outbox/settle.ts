import { failureReason } from '../../core/evm/failure.ts';
import { type Receipt, readReceipts } from '../../core/evm/receipts.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Result } from '../../core/outbox/results.ts';
import { noteProblem } from './memory.ts';
import type { OpenEntry, OpenQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';

/** Reasons queried per reconcile; the rest follows in the next one. */
const maxReasons = 100;
/** A node may count a nonce a moment before it has the receipt. */
const patienceMs = 3000;

/** Finds out what happened to the transactions whose nonces are used up, and records it in memory. */
export async function settle({ rpc, queue, account, memory, nowMs }: QueueSnapshot): Promise<void> {
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

export async function resultOf(rpc: EvmRpc, receipt: Receipt): Promise<Result> {
  const { block, contract } = receipt;
  const gasUsed = Number(receipt.gasUsed);
  if (!receipt.isSuccess) {
    return { state: 'failed', block, gasUsed, reason: await failureReason(rpc, receipt) };
  }
  return { state: 'mined', block, gasUsed, ...compact({ contract }) };
}

/** Another transaction used its nonce: it can never be mined. */
function replaced(
  { gapTransactions }: OpenQueue,
  { nonce }: OpenEntry,
  { memory, nowMs }: Pick<QueueSnapshot, 'memory' | 'nowMs'>,
): Result | undefined {
  const reason = `its nonce ${nonce} was used by a transaction that was not sent through this service`;
  if (noteProblem(memory, nonce, { kind: 'replaced', reason, sinceMs: nowMs }) < patienceMs) return undefined;
  return { state: 'dropped', reason: gapTransactions.get(nonce)?.reason ?? reason };
}
