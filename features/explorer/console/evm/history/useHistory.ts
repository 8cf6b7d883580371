import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useInside } from '../../../../../console/src/session/context.tsx';
import type { Client } from '../../../../../sdk/src/client.ts';
import type { AccountTransactionList } from '../../../../../sdk/src/generated/types.ts';
import { useExplored, useWithBlocks } from '../../context.tsx';

export type Covered = AccountTransactionList['covered'];

/** A page of what the index of the chain found. */
interface Page<T> {
  items: T[];
  covered: Covered;
  metadata: { cursor?: string | undefined };
}

/** Where a page is read: from its network, after what the cursor says. */
interface Place {
  id: string;
  query: { limit: number; cursor?: string };
  signal: AbortSignal;
}

export interface History<T> {
  /** The newest first; undefined until the first page is there. */
  items: readonly T[] | undefined;
  covered: Covered | undefined;
  error: unknown;
  isSearching: boolean;
  /** Reads further, or again what failed; undefined at the end. */
  more: (() => void) | undefined;
}

interface HistoryOptions {
  /** How many entries a page has. */
  limit: number;
  /** How many pages are read without being asked for. */
  pages: number;
}

/**
 * What the index of the chain found, page by page. Pages without entries are read on, because older blocks may have some. All of it is
 * read again with each new block.
 */
export function useHistory<T>(
  key: readonly unknown[],
  read: (client: Client, place: Place) => Promise<Page<T>>,
  { limit, pages }: HistoryOptions,
): History<T> {
  const { client } = useInside();
  const { network, enclaveID } = useExplored();
  const query = useInfiniteQuery({
    queryKey: ['chain', network.id, enclaveID, 'history', ...key],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam };
      return read(client, { id: network.id, query: { limit, ...cursor }, signal });
    },
    getNextPageParam: ({ metadata }) => metadata.cursor,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  useWithBlocks(refetch);
  const last = data?.pages.at(-1);
  const isOn = (data?.pages.length ?? 0) < pages || last?.items.length === 0;
  const isDue = hasNextPage && isOn && !isFetching && error === null;
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
  const further = hasNextPage ? () => void fetchNextPage() : undefined;
  return {
    items: data?.pages.flatMap(({ items }) => items),
    covered: last && { ...last.covered, to: data?.pages[0]?.covered.to ?? last.covered.to },
    error: error ?? undefined,
    isSearching: isFetching,
    more: error === null ? further : () => void refetch(),
  };
}
