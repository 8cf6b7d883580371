import { z } from 'zod';
import { failureReason } from '../evm/failure.ts';
import type { Receipt } from '../evm/receipts.ts';
import type { EvmRpc } from '../evm/rpc.ts';
import { compact } from '../lib/compact.ts';

/** The final outcome of a transaction. */
export type Result =
  | { state: 'mined'; block: number; gasUsed: number; contract?: string }
  | { state: 'failed'; block: number; gasUsed: number; reason: string }
  | { state: 'dropped'; reason: string };

/** The outcome of a transaction whose block is no longer on its chain. */
export const rolledBack: Result = {
  state: 'dropped',
  reason: 'the chain was rolled back past its block; it is never sent again',
};

/** The outcome of a transaction that a process acknowledged and no longer has: it was undone. */
export const undone: Result = {
  state: 'dropped',
  reason:
    'the node no longer has it: the chain was rolled back, somebody removed it from the pool or replaced it there, or the node could not mine it any more, ' +
    'because of its fees, its gas or the balance of its account; it is never sent again',
};

/** What `undone` said in earlier versions. */
const formerReasons = [
  'the node no longer has it, because the chain was rolled back or somebody removed it from the pool; it is never sent again',
  'the node no longer has it: the chain was rolled back, somebody removed it from the pool, or the base fee rose above what it offers; it is never sent again',
];

/** Whether a result is `undone`. A stored result has its reason alone. */
export function isUndone(result: Result): boolean {
  if (result.state !== 'dropped' || undone.state !== 'dropped') return false;
  return [undone.reason, ...formerReasons].includes(result.reason);
}

/** The outcome of what crashed each process that got it: the last one does not have it, and none will get it again. */
export const crashesEngine: Result = {
  state: 'dropped',
  reason:
    "the network's engine crashed each time shortly after receiving this transaction, probably because it ran out of memory; it is never sent again",
};

/**
 * The outcome of a transaction whose block another process of the chain does not have: it was undone or lost with the former
 * process, and nobody knows which.
 */
export const lostWithEngine: Result = {
  state: 'dropped',
  reason:
    "the network's engine has started since and does not have its block: it was rolled back, or lost with the engine's last seconds; it is never sent again",
};

/** The outcome of a transaction that is in a block. Rejects when the node cannot be reached. */
export async function resultOf(rpc: EvmRpc, receipt: Receipt): Promise<Result> {
  const { block, contract } = receipt;
  const gasUsed = Number(receipt.gasUsed);
  if (receipt.isSuccess) return { state: 'mined', block, gasUsed, ...compact({ contract }) };
  return { state: 'failed', block, gasUsed, reason: await failureReason(rpc, receipt) };
}

const block = z.int().min(0);
const rowSchema = z.union([
  z.tuple([z.literal('m'), block, block]),
  z.tuple([z.literal('m'), block, block, z.string()]),
  z.tuple([z.literal('f'), block, block, z.string()]),
  z.tuple([z.literal('d'), z.string()]),
]);
const rowsSchema = z.array(rowSchema);

/** Results as an Outbox stores them: short, because there are many. */
export function packResults(results: readonly Result[]): string {
  const rows = results.map((result): z.infer<typeof rowSchema> => {
    if (result.state === 'dropped') return ['d', result.reason];
    const { block, gasUsed } = result;
    if (result.state === 'failed') return ['f', block, gasUsed, result.reason];
    return result.contract === undefined ? ['m', block, gasUsed] : ['m', block, gasUsed, result.contract];
  });
  return JSON.stringify(rows);
}

/** The results of a batch; empty while it is not settled. */
export function unpackResults(text: string | undefined): Result[] {
  if (text === undefined) return [];
  return rowsSchema.parse(JSON.parse(text)).map((row): Result => {
    if (row[0] === 'd') return { state: 'dropped', reason: row[1] };
    const [state, block, gasUsed, more] = row;
    if (state === 'f') return { state: 'failed', block, gasUsed, reason: more };
    return { state: 'mined', block, gasUsed, ...compact({ contract: more }) };
  });
}
