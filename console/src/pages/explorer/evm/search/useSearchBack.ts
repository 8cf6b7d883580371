import { useEffect, useState } from 'react';
import { useExplored } from '../../context.tsx';

/** What was found in some blocks, and which they are. */
export interface Found<T> {
  /** The newest first. */
  found: readonly T[];
  /** The oldest block that was searched. */
  from: bigint;
  /** Blocks that could not be read, as when they are too large. */
  skipped: number;
}

export interface Searched<T> extends Found<T> {
  to: bigint;
}

export interface SearchBack<T> {
  searched: Searched<T> | undefined;
  isSearching: boolean;
  error: unknown;
  /** Searches the blocks before those that were searched, or again where the first search failed. */
  more: () => void;
}

/**
 * Searches from the newest block back, a part at a time, on request after the first. The chain is known for as long as its page is:
 * another chain has another page.
 */
export function useSearchBack<T>(search: (to: bigint) => Promise<Found<T>>): SearchBack<T> {
  const { head } = useExplored();
  const [searched, setSearched] = useState<Searched<T>>();
  const [isSearching, setSearching] = useState(false);
  const [error, setError] = useState<unknown>();
  const newest = head?.number;
  const begin = async (to: bigint) => {
    setSearching(true);
    try {
      const { found, from, skipped } = await search(to);
      setError(undefined);
      setSearched((now) => ({
        from,
        to: now?.to ?? to,
        skipped: (now?.skipped ?? 0) + skipped,
        found: [...(now?.found ?? []), ...found],
      }));
    } catch (problem) {
      setError(problem);
    } finally {
      setSearching(false);
    }
  };
  const isDue = newest !== undefined && !searched && !isSearching && error === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first search begins when the newest block is known.
  useEffect(() => {
    if (isDue) void begin(BigInt(newest));
  }, [isDue]);
  const more = () => {
    if (searched) void begin(searched.from - 1n);
    else if (newest !== undefined) void begin(BigInt(newest));
  };
  return { searched, isSearching, error, more };
}
