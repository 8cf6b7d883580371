import { useEffect, useState } from 'react';
import type { ChainHead } from '../../../../../sdk/src/generated/types.ts';
import { useExplored } from '../../context.tsx';
import { textAt } from '../../fields.ts';
import type { Reader } from '../../reader.ts';
import { type Search, type Searched, withEarlier, withLater } from './searched.ts';

export interface SearchBack<T> {
  searched: Searched<T> | undefined;
  isSearching: boolean;
  error: unknown;
  /** Searches the blocks before those that were searched, or again what could not be searched. */
  more: () => void;
}

/** What was searched, and the hash of its newest block, by which one sees whether the chain went back. */
interface Known<T> {
  searched: Searched<T>;
  hash: string | undefined;
}

/**
 * Searches from the newest block back to `first`, a part at a time, on request after the first part. New blocks are searched
 * as they come; when the chain went back, the search begins again. Another chain has another page.
 */
export function useSearchBack<T>(first: bigint, search: Search<T>): SearchBack<T> {
  const { head, reader } = useExplored();
  const [known, setKnown] = useState<Known<T>>();
  const [isSearching, setSearching] = useState(false);
  const [error, setError] = useState<unknown>();
  const become = async (next: Promise<Known<T>>) => {
    setSearching(true);
    try {
      setKnown(await next);
    } catch (problem) {
      setError(problem);
    } finally {
      setSearching(false);
    }
  };
  const follow = async ({ number, hash }: ChainHead): Promise<Known<T>> => {
    const to = BigInt(number);
    if (to < first) return { searched: { from: first, to, found: [] }, hash };
    if (known && to > known.searched.to && (await isStillThere(reader, known)))
      return { searched: await withLater(known.searched, search, to), hash };
    return { searched: { ...(await search({ to, first })), to }, hash };
  };
  const isKnown =
    known !== undefined && head?.number === String(known.searched.to) && head.hash === known.hash;
  const isDue = head !== undefined && !isKnown && !isSearching && error === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins when there are blocks that were not searched.
  useEffect(() => {
    if (isDue) void become(follow(head));
  }, [isDue, head]);
  const more = () => {
    if (error !== undefined || !known) return setError(undefined);
    const { searched, hash } = known;
    void become(withEarlier(searched, search, first).then((next) => ({ searched: next, hash })));
  };
  return { searched: known?.searched, isSearching, error, more };
}

/** Whether the newest block that was searched is still on the chain, as far as the node says so. */
async function isStillThere<T>(reader: Reader, { searched, hash }: Known<T>): Promise<boolean> {
  if (hash === undefined || searched.to < 0n) return true;
  const block = await reader.one('eth_getBlockByNumber', `0x${searched.to.toString(16)}`, false);
  return textAt(block, 'hash') === hash;
}
