import { z } from 'zod';
import type { Clock } from '../lib/clock.ts';
import { quantitySchema, read } from './chainState.ts';
import { type EvmRpc, rpcErrorOf } from './rpc.ts';

/** A pool in which nothing moves for so long has been forgotten. */
const stillMs = 2000;
const poolSchema = z.object({ pending: quantitySchema });

interface Pool {
  /** Transactions that the next block could hold. */
  waiting: bigint;
  block: bigint;
}

/**
 * Has a node mine what it took and forgot: anvil 1.7 leaves transactions that did not fit into a block until another
 * one comes (crates/anvil/src/eth/miner.rs). Ends when nothing is left, or what is left cannot be mined, for example
 * because of its fees; does nothing to a node that mines on demand or at intervals, or is no anvil. Rejects with
 * Unavailable when the node cannot be asked.
 */
export async function mineStrandedTransactions(rpc: EvmRpc, clock: Clock): Promise<void> {
  for (let pool = await lookAtPool(rpc); pool && pool.waiting > 0n; ) {
    await clock.sleep(stillMs);
    const next = await lookAtPool(rpc);
    const isForgotten = next && next.waiting === pool.waiting && next.block === pool.block;
    pool = isForgotten ? await mineAll(rpc, next) : next;
  }
}

/** The same at once, for who has seen that nothing moves. */
export async function mineStrandedBatch(rpc: EvmRpc): Promise<void> {
  const pool = await lookAtPool(rpc);
  if (pool && pool.waiting > 0n) await mineAll(rpc, pool);
}

/** Block after block, until nothing waits; undefined when a block takes nothing. */
async function mineAll(rpc: EvmRpc, before: Pool): Promise<Pool | undefined> {
  await rpc.call('evm_mine', []);
  const after = await lookAtPool(rpc);
  if (!after || after.waiting >= before.waiting) return undefined;
  return after.waiting > 0n ? mineAll(rpc, after) : after;
}

/** Undefined for a node that does not mine by itself as transactions come. */
async function lookAtPool(rpc: EvmRpc): Promise<Pool | undefined> {
  const [isAutomatic, status, block] = await rpc.batch([
    { method: 'anvil_getAutomine', params: [] },
    { method: 'txpool_status', params: [] },
    { method: 'eth_blockNumber', params: [] },
  ]);
  if (isAutomatic && 'error' in isAutomatic && !rpcErrorOf(isAutomatic.error)) throw isAutomatic.error;
  if (!isAutomatic || 'error' in isAutomatic || isAutomatic.result !== true) return undefined;
  return { waiting: read(poolSchema, status).pending, block: read(quantitySchema, block) };
}
