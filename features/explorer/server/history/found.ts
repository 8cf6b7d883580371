import { compact } from '../../../../core/lib/compact.ts';
import type { AccountTransaction, TokenTransfer } from '../../api/history.ts';
import type { ChainIndex } from './chainIndex.ts';
import type { IndexedBlock, IndexedTransaction } from './readBlocks.ts';

/** Where an entry is: its block, its transaction in the block, and its place in the transaction. */
export type Position = readonly [block: number, transaction: number, place: number];

export interface Found<T> {
  at: Position;
  item: T;
}

/** What is looked for in a transaction, in the order in which it happened. */
export type Finder<T> = (transaction: IndexedTransaction, block: IndexedBlock, index: number) => T[];

/** The newest entries before a position, at most `limit`, the newest first. */
export function findBefore<T>(
  blocks: ChainIndex['blocks'],
  find: Finder<T>,
  { before, limit }: { before: Position | undefined; limit: number },
): Found<T>[] {
  const found: Found<T>[] = [];
  for (let last = blocks.length - 1; last >= 0 && found.length < limit; last -= 1) {
    const block = blocks[last];
    if (!block || (before && block.number > before[0])) continue;
    const own = block.transactions.flatMap((transaction, index) =>
      find(transaction, block, index).map((item, place) => ({
        at: [block.number, index, place] as const,
        item,
      })),
    );
    found.push(...own.filter(({ at }) => !before || isBefore(at, before)).reverse());
  }
  return found.slice(0, limit);
}

export function isBefore(one: Position, other: Position): boolean {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place >= 0 && (one[place] ?? 0) < (other[place] ?? 0);
}

/** Finds the transactions of an account, given in lower case. */
export function transactionsOf(account: string): Finder<AccountTransaction> {
  return ({ hash, from, to, created, value, fee, method, isSuccess, inner }, block, index) => {
    if (![from, to, created, ...(inner?.touched ?? [])].includes(account)) return [];
    const calls = inner?.calls.filter((call) => call.from === account || call.to === account) ?? [];
    return [
      {
        hash,
        block: String(block.number),
        index,
        time: block.time,
        from,
        ...compact({ to, created, method }),
        value,
        fee,
        status: isSuccess ? 'success' : 'failed',
        inner: calls,
      },
    ];
  };
}

/** Finds the transfers to and from an account, or of a token; its address is in lower case. */
export function transfersOf(address: string, of: 'account' | 'token'): Finder<TokenTransfer> {
  return ({ hash, transfers }, { number, time }) =>
    transfers
      .filter(({ token, from, to }) => (of === 'token' ? [token] : [from, to]).includes(address))
      .map((transfer) => ({ hash, block: String(number), time, ...transfer }));
}
