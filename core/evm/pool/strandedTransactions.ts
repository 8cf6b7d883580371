import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { quantitySchema, read } from '../answers.ts';
import { automineCall, minesEachTransaction } from '../automine.ts';
import type { EvmRpc } from '../rpc.ts';

/** Transactions in a pool that does not change for this long are stranded. */
const idleMs = 2000;
const poolSchema = z.object({ pending: quantitySchema });

interface Pool {
  /** Transactions that the next block could hold. */
  waiting: bigint;
  block: bigint;
}

/**
 * Makes a node mine the transactions stranded in its pool: anvil 1.7 leaves transactions that did not fit into a block
 * until another one arrives (crates/anvil/src/eth/miner.rs). Ends when none is left, or those left cannot be mined,
 * for example because of their fees. Does nothing to a node that mines on demand or at intervals, or is not anvil.
 * Rejects with Unavailable when the node cannot be reached.
 */
export async function mineStrandedTransactions(rpc: EvmRpc, clock: Clock): Promise<void> {
  for (let pool = await readPool(rpc); pool && pool.waiting > 0n; ) {
    await clock.sleep(idleMs);
    const next = await readPool(rpc);
    const isStranded = next && next.waiting === pool.waiting && next.block === pool.block;
    pool = isStranded ? await mineAll(rpc, next) : next;
  }
}

/** The same without waiting, for a caller that knows that the pool does not change. */
export async function mineStrandedBatch(rpc: EvmRpc): Promise<void> {
  const pool = await readPool(rpc);
  if (pool && pool.waiting > 0n) await mineAll(rpc, pool);
}

/** Mines block after block until nothing waits; undefined when a block takes nothing. */
async function mineAll(rpc: EvmRpc, before: Pool): Promise<Pool | undefined> {
  await rpc.call('evm_mine', []);
  const after = await readPool(rpc);
  if (!after || after.waiting >= before.waiting) return undefined;
  return after.waiting > 0n ? mineAll(rpc, after) : after;
}

/** Undefined for a node that does not mine by itself as transactions come. */
async function readPool(rpc: EvmRpc): Promise<Pool | undefined> {
  const [isAutomatic, status, block] = await rpc.batch([
    automineCall,
    { method: 'txpool_status', params: [] },
    { method: 'eth_blockNumber', params: [] },
  ]);
  if (!minesEachTransaction(isAutomatic)) return undefined;
  return { waiting: read(poolSchema, status).pending, block: read(quantitySchema, block) };
}
