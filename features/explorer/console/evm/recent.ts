import type { Block, Transaction } from './model.ts';

/** How many blocks the lists of the first page show. */
export const recentCount = 15;
/** How many its charts show. */
export const keptCount = 60;

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

/** The last blocks up to a head. */
export interface Range {
  head: bigint;
  count: number;
  /** The first that counts. */
  first: bigint;
}

/** The numbers of those that are not known, the newest first. A head that is known may be another block by now. */
export function missingBlocks(known: readonly Block[], { head, count, first }: Range): bigint[] {
  const numbers = new Set(known.map(({ number }) => number));
  const wanted = Array.from({ length: count }, (_, back) => head - BigInt(back));
  return wanted.filter((number) => number >= first && (number === head || !numbers.has(number)));
}

/** Whether some of the blocks before are among these: otherwise the chain went back, or far ahead. */
export function isContinued(before: readonly Block[], blocks: readonly Block[]): boolean {
  const hashes = new Set(blocks.map(({ hash }) => hash));
  return before.some(({ hash }) => hashes.has(hash));
}

/**
 * The known blocks up to a head, the newest first. What does not hang together with the newest is from before a
 * revert or a reorganisation, and is left out.
 */
export function withBlocks(known: readonly Block[], read: readonly Block[], head: bigint): Block[] {
  const byNumber = new Map([...known, ...read].map((block) => [block.number, block]));
  const chain: Block[] = [];
  for (let number = head; chain.length < keptCount; number -= 1n) {
    const block = byNumber.get(number);
    const child = chain.at(-1);
    if (!block || (child && child.parentHash !== block.hash)) break;
    chain.push(block);
  }
  return chain;
}
