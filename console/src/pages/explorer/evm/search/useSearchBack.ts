import { useEffect, useState } from 'react';
import { useExplored } from '../../context.tsx';
import { type Search, type Searched, withEarlier, withLater } from './searched.ts';

export interface SearchBack<T> {
  searched: Searched<T> | undefined;
  isSearching: boolean;
  error: unknown;
  /** Searches the blocks before those that were searched, or again what could not be searched. */
  more: () => void;
}

/**
 * Searches from the newest block back to `first`, a part at a time, on request after the first part. New blocks are searched
 * as they come; when the chain goes back, the search begins again. Another chain has another page.
 */
export function useSearchBack<T>(first: bigint, search: Search<T>): SearchBack<T> {
  const { head } = useExplored();
  const [searched, setSearched] = useState<Searched<T>>();
  const [isSearching, setSearching] = useState(false);
  const [error, setError] = useState<unknown>();
  const newest = head === undefined ? undefined : BigInt(head.number);
  const become = async (next: Promise<Searched<T>>) => {
    setSearching(true);
    try {
      setSearched(await next);
    } catch (problem) {
      setError(problem);
    } finally {
      setSearching(false);
    }
  };
  const follow = (to: bigint): Promise<Searched<T>> => {
    if (searched && to > searched.to) return withLater(searched, search, to);
    return search({ to, first }).then((found) => ({ ...found, to }));
  };
  const isDue = newest !== undefined && newest !== searched?.to && !isSearching && error === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins when there are blocks that were not searched.
  useEffect(() => {
    if (isDue) void become(follow(newest));
  }, [isDue, newest]);
  const more = () => {
    if (error === undefined && searched) void become(withEarlier(searched, search, first));
    else setError(undefined);
  };
  return { searched, isSearching, error, more };
}
