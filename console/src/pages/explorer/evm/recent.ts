import type { Block, Transaction } from './model.ts';

/** How many blocks the first page shows. */
export const recentCount = 15;

export const shownTransactions = 15;

export interface RecentTransaction {
  transaction: Transaction;
  isSuccess: boolean | undefined;
  at: number;
}

/** The transactions of the recent blocks, and as many from before them as there is room for. */
export function withOlder(
  recent: readonly RecentTransaction[],
  known: readonly RecentTransaction[],
  blocks: readonly Block[],
): RecentTransaction[] {
  const oldest = blocks.at(-1)?.number ?? 0n;
  const isOlder = ({ transaction: { blockNumber } }: RecentTransaction) =>
    blockNumber !== undefined && blockNumber < oldest;
  return [...recent, ...known.filter(isOlder)].slice(0, shownTransactions);
}

/** The numbers of recent blocks that are not known, the newest first. A head that is known may be another block by now. */
export function missingBlocks(known: readonly Block[], head: bigint): bigint[] {
  const numbers = new Set(known.map(({ number }) => number));
  const wanted = Array.from({ length: recentCount }, (_, back) => head - BigInt(back));
  return wanted.filter((number) => number >= 0n && (number === head || !numbers.has(number)));
}

/**
 * The recent blocks up to a head, the newest first. What does not hang together with the newest is from before a
 * revert or a reorganisation, and is left out.
 */
export function withBlocks(known: readonly Block[], read: readonly Block[], head: bigint): Block[] {
  const byNumber = new Map([...known, ...read].map((block) => [block.number, block]));
  const chain: Block[] = [];
  for (let number = head; chain.length < recentCount; number -= 1n) {
    const block = byNumber.get(number);
    const child = chain.at(-1);
    if (!block || (child && child.parentHash !== block.hash)) break;
    chain.push(block);
  }
  return chain;
}
