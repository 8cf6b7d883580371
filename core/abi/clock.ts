import { toQuantity } from '../lib/text/quantity.ts';
import type { CallNode } from './node.ts';

/** What a node mines for one call, at most: more would keep it busy. */
export const maxMinedBlocks = 10_000;

export interface NewestBlock {
  number: number;
  /** Its time, in seconds since 1970. */
  timestamp: number;
}

/** Mines blocks, and answers the newest one (light engines, by their admin URL). */
export async function mineBlocks(call: CallNode, count: number): Promise<NewestBlock> {
  await call('anvil_mine', [toQuantity(count)]);
  return newestBlock(call);
}

/** So many seconds further, or a time in seconds since 1970. */
export type Advance = { seconds: number } | { time: number };

/**
 * Mines a block at a later time, from which the clock of the chain goes on, and answers it (light engines, by their admin URL). The
 * block is mined because a time without one is lost by a revert.
 */
export async function advanceTime(call: CallNode, to: Advance): Promise<NewestBlock> {
  if ('seconds' in to) await call('evm_increaseTime', [toQuantity(to.seconds)]);
  else await call('evm_setNextBlockTimestamp', [toQuantity(to.time)]);
  await call('evm_mine', []);
  return newestBlock(call);
}

async function newestBlock(call: CallNode): Promise<NewestBlock> {
  const block = (await call('eth_getBlockByNumber', ['latest', false])) as Block;
  return { number: Number(block.number), timestamp: Number(block.timestamp) };
}

interface Block {
  number: string;
  timestamp: string;
}
