import type { ChainReader } from '../../evm/chainReader.ts';
import { type Block, blockHashAt } from './logs.ts';
import type { Checkpoint } from './protocol.ts';

/** As many of the newest are all kept. */
const keptNewest = 8;

/**
 * Checkpoints in the order of their blocks, with a new last one. Old ones are thinned: a gap between two is at most as
 * long as the distance from its end to the new one. So a source that goes back is read again from about twice that
 * distance, and there are at most 70 checkpoints for a billion blocks.
 */
export function addCheckpoint(checkpoints: readonly Checkpoint[], added: Checkpoint): readonly Checkpoint[] {
  const all = [...checkpoints.filter(({ block }) => block < added.block), added];
  const kept: Checkpoint[] = [];
  for (const [index, one] of all.entries()) {
    const [previous, next] = [kept.at(-1), all[index + 1]];
    const isOld = index < all.length - keptNewest;
    const isDense = previous && next && next.block - previous.block <= added.block - next.block;
    if (!(isOld && isDense)) kept.push(one);
  }
  return kept;
}

/** Whether the chain still has the block of the last checkpoint. */
export async function isSameChain(
  chain: ChainReader,
  checkpoints: readonly Checkpoint[],
  head: Block,
): Promise<boolean> {
  const last = checkpoints.at(-1);
  if (!last) return true;
  if (head.number <= last.block) return head.number === last.block && head.hash === last.hash;
  if (head.number === last.block + 1) return head.parentHash === last.hash;
  return (await blockHashAt(chain, last.block)) === last.hash;
}

/** The checkpoints that are still on the chain: those up to the last one whose block the chain has. */
export async function sharedCheckpoints(
  chain: ChainReader,
  checkpoints: readonly Checkpoint[],
): Promise<readonly Checkpoint[]> {
  for (let count = checkpoints.length; count > 0; count -= 1) {
    const one = checkpoints[count - 1];
    if (one && (await blockHashAt(chain, one.block)) === one.hash) return checkpoints.slice(0, count);
  }
  return [];
}
