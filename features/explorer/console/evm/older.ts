import type { Reader } from '../reader.ts';
import { blockOf } from './model.ts';
import { readResults } from './readTransaction.ts';
import { type RecentTransaction, shownTransactions } from './recent.ts';

/** A transaction that the service sent, and its block. */
export interface Sent {
  hash: string;
  block: bigint;
}

/** How many blocks are looked through: chains with a block time are mostly empty. */
const lookedThrough = 100;

const hex = (value: bigint): string => `0x${value.toString(16)}`;

/**
 * Transactions from `first` to before a block, the newest first, as many as a page shows: those of the blocks just before it, and those
 * that the service sent.
 */
export async function olderTransactions(
  reader: Pick<Reader, 'ask'>,
  sent: readonly Sent[],
  { before, first }: { before: bigint; first: bigint },
): Promise<RecentTransaction[]> {
  const count = Math.max(0, Math.min(Number(before - first), lookedThrough));
  const numbers = Array.from({ length: count }, (_, back) => before - 1n - BigInt(back));
  const blocks = (await readBlocks(reader, numbers)).flatMap((one) => one ?? []);
  const inBlocks = blocks.flatMap(({ number, transactions }) =>
    transactions.toReversed().map((hash) => ({ hash, block: number })),
  );
  const known = new Set(inBlocks.map(({ hash }) => hash));
  const others = sent.filter(({ hash, block }) => block >= first && block < before && !known.has(hash));
  // What was undone and submitted again was sent twice.
  const wanted = [...new Map([...inBlocks, ...others].map((one) => [one.hash, one])).values()]
    .sort((a, b) => (a.block === b.block ? 0 : a.block > b.block ? -1 : 1))
    .slice(0, shownTransactions);
  const times = await readBlocks(
    reader,
    wanted.map(({ block }) => block),
  );
  return await readResults(
    reader,
    wanted.map(({ hash }, index) => ({ hash, at: times[index]?.at ?? 0 })),
  );
}

async function readBlocks(reader: Pick<Reader, 'ask'>, numbers: readonly bigint[]) {
  const answers = await reader.ask(
    numbers.map((number) => ['eth_getBlockByNumber', hex(number), false] as const),
  );
  return answers.map(({ result }) => blockOf(result));
}
