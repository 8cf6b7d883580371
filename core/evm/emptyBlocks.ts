import { z } from 'zod';
import { toQuantity } from '../lib/text/quantity.ts';
import { quantitySchema, read, resultIn } from './answers.ts';
import { automineCall, minesEachTransaction } from './automine.ts';
import { nextBaseFeeCall, nextBaseFeeOf } from './chainState.ts';
import type { EvmRpc, RpcCall, RpcOutcome } from './rpc.ts';

/** The newest block of a chain that makes a block for each transaction, and none without. */
export interface QuietHead {
  hash: string;
  number: bigint;
  /** Seconds since the Unix epoch, by the chain's own clock. */
  timestamp: number;
  hasTransactions: boolean;
  /** The last block that was copied from another chain; 0 if the chain is not a fork. */
  copiedUntil: bigint;
}

/** Empty blocks after the last transaction: more confirmations than that are not waited for. */
const maxEmptyBlocks = 64;
/** A call to the node may wait for these blocks. */
const timeoutMs = 2000;

const headSchema = z.object({
  hash: z.string(),
  number: quantitySchema,
  timestamp: quantitySchema.transform(Number),
  transactions: z.array(z.unknown()),
});
const metadataSchema = z.object({
  forkedNetwork: z.object({ forkBlockNumber: z.number().int().nonnegative() }),
});

/**
 * Asks anvil for the last block that a fork has copied. `anvil_nodeInfo` would answer this too, but must not be called while a
 * block may be mined: anvil 1.7 takes two of its locks there in the opposite order, and then stands still for good
 * (`anvil_node_info` in crates/anvil/src/eth/api.rs, `do_mine_block` in backend/mem/mod.rs).
 */
export const copiedUntilCall: RpcCall = { method: 'anvil_metadata', params: [] };

const headCalls: readonly RpcCall[] = [
  automineCall,
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  copiedUntilCall,
];

/**
 * The newest block; undefined for a node that mines on demand or at intervals, or is not anvil. Rejects with Unavailable
 * when the node cannot be reached.
 */
export async function readQuietHead(rpc: EvmRpc): Promise<QuietHead | undefined> {
  const [automine, block, copied] = await rpc.batch(headCalls, { timeoutMs });
  if (!minesEachTransaction(automine)) return undefined;
  const { transactions, ...head } = read(headSchema, block);
  return { ...head, hasTransactions: transactions.length > 0, copiedUntil: BigInt(copiedUntilIn(copied)) };
}

/**
 * Mines an empty block on top of `head` if somebody may still count confirmations: there is a transaction in the chain's last
 * 64 blocks. Resolves to whether it was mined.
 */
export async function mineEmptyBlock(rpc: EvmRpc, head: QuietHead): Promise<boolean> {
  const isCounted = head.hasTransactions || (await hasRecentTransaction(rpc, head));
  if (isCounted) await rpc.call('evm_mine', [], { timeoutMs });
  return isCounted;
}

/** Empty blocks for one portion of transactions: they divide the base fee by five thousand (EIP-1559). */
const maxLoweringBlocks = 64;

/**
 * Mines empty blocks until the next block takes transactions that offer `fees` (wei per gas). A burst raises the base fee, and
 * no block of a node that mines each transaction at once would lower it again; other nodes make empty blocks by
 * themselves. Rejects with Unavailable when the node cannot be reached.
 */
export async function lowerBaseFee(rpc: EvmRpc, fees: readonly bigint[]): Promise<void> {
  // A block can raise the base fee by an eighth: the first of two, and one that anvil 1.7 has mined, but not priced yet.
  const isTaken = (baseFee: bigint) => fees.every((fee) => 9n * baseFee <= 8n * fee);
  for (let mined = 0; mined < maxLoweringBlocks; mined++) {
    const [automine, history] = await rpc.batch([automineCall, nextBaseFeeCall], { timeoutMs });
    if (isTaken(nextBaseFeeOf(history) ?? 0n) || !minesEachTransaction(automine)) return;
    await rpc.call('evm_mine', [], { timeoutMs });
  }
}

async function hasRecentTransaction(rpc: EvmRpc, { number, copiedUntil }: QuietHead): Promise<boolean> {
  const own = Number(number - copiedUntil);
  const calls = Array.from({ length: Math.max(0, Math.min(own, maxEmptyBlocks)) }, (_, index) => ({
    method: 'eth_getBlockTransactionCountByNumber',
    params: [toQuantity(number - BigInt(index))],
  }));
  const counts = await rpc.batch(calls, { timeoutMs });
  return counts.some((count) => read(quantitySchema, count) > 0n);
}

/** What the outcome of `copiedUntilCall` says; 0 for chains that are not forks, and for other nodes. */
export function copiedUntilIn(outcome: RpcOutcome | undefined): number {
  const parsed = metadataSchema.safeParse(resultIn(outcome));
  return parsed.data?.forkedNetwork.forkBlockNumber ?? 0;
}
