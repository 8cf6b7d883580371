import { useEffect, useState } from 'react';
import { systemClock } from '../../../../../console/src/lib/clock.ts';
import { createStore } from '../../../../../console/src/lib/store.ts';
import { useStore } from '../../../../../console/src/lib/useStore.ts';
import { useInside } from '../../../../../console/src/session/context.tsx';
import type { Client } from '../../../../../sdk/src/client.ts';
import type { Covered, Page, PageQuery } from '../../../api/history.ts';
import { useExplored } from '../../context.tsx';
import { createHistoryList, type HistoryList, type HistorySize, type HistoryState } from './historyList.ts';
import type { Entry } from './listed.ts';

/** Where a page is read: from its network, after what the cursor says. */
interface Place {
  id: string;
  query: PageQuery;
  signal: AbortSignal;
}

export interface History<T> extends Pick<HistoryState<T>, 'error' | 'isSearching'> {
  /** The newest first; undefined until the first page is there. */
  items: readonly T[] | undefined;
  covered: Covered | undefined;
  /** Reads further, or again what failed; undefined at the end. */
  more: (() => void) | undefined;
}

const nothing = createStore({ list: undefined, error: undefined, isSearching: true });

/** What the index of the chain found, page by page, and what new blocks have. `key` says what is read. */
export function useHistory<T extends Entry>(
  key: string,
  read: (client: Client, place: Place) => Promise<Page<T>>,
  size: HistorySize,
): History<T> {
  const { client } = useInside();
  const { network, enclaveID, head } = useExplored();
  const [history, setHistory] = useState<HistoryList<T>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is read, and how much.
  useEffect(() => {
    const own = new AbortController();
    const { signal } = own;
    const readPage = (query: PageQuery) => read(client, { id: network.id, query, signal });
    setHistory(createHistoryList({ read: readPage, ...size, clock: systemClock, signal }));
    return () => own.abort();
  }, [client, network.id, enclaveID, key]);
  useEffect(() => {
    if (head) history?.follow(head);
  }, [history, head]);
  const { list, error, isSearching } = useStore<HistoryState<T>>(history?.state ?? nothing);
  const hasMore = history && (error !== undefined || list?.cursor !== undefined);
  return {
    items: list?.items,
    covered: list?.covered,
    error,
    isSearching,
    more: hasMore ? history.more : undefined,
  };
}
