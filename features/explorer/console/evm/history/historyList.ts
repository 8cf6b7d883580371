import type { Clock } from '../../../../../console/src/lib/clock.ts';
import { createStore, type Store } from '../../../../../console/src/lib/store.ts';
import type { ChainHead } from '../../../../../sdk/src/generated/types.ts';
import type { Page, PageQuery } from '../../../api/history.ts';
import { type Entry, type Listed, listOf, withNewest, withNext } from './listed.ts';
import { createNewBlocks } from './newBlocks.ts';

type ReadPage<T> = (query: PageQuery) => Promise<Page<T>>;

export interface HistorySize {
  /** How many entries a page has. */
  limit: number;
  /** How many pages are read without being asked for. */
  pages: number;
}

interface HistoryOptions<T> extends HistorySize {
  read: ReadPage<T>;
  clock: Clock;
  signal: AbortSignal;
}

export interface HistoryState<T> {
  /** Undefined until the first page is there. */
  list: Listed<T> | undefined;
  error: unknown;
  /** Whether pages that were asked for are read. */
  isSearching: boolean;
}

export interface HistoryList<T> {
  state: Store<HistoryState<T>>;
  /** Reads what a new block has. */
  follow(head: ChainHead): void;
  /** Reads the next page, or again what failed. */
  more(): void;
}

/** So many entries are read for a new block. */
const newestCount = 50;

/**
 * What the index of a chain found, page by page. Pages without entries are read on, because older blocks may have some. For new blocks, the
 * first page alone is read again; the others only if the list does not go on from it. One read follows another, what was asked for first.
 */
export function createHistoryList<T extends Entry>(options: HistoryOptions<T>): HistoryList<T> {
  const { read, limit, clock, signal } = options;
  const state = createStore<HistoryState<T>>({ list: undefined, error: undefined, isSearching: true });
  const newBlocks = createNewBlocks(clock, () => void run());
  let { pages } = options;
  let isRunning = false;
  let isStopped = false;

  async function step(): Promise<Listed<T> | undefined> {
    const { list } = state.get();
    if (!list || isShort(list, pages)) {
      state.set({ ...state.get(), isSearching: true });
      return list ? withNext(list, await read(queryOf(list, limit))) : listOf(await read({ limit }));
    }
    if (!newBlocks.isDue()) return undefined;
    return (await newBlocks.read(() => readNewer(read, list, limit))).list;
  }

  async function run(): Promise<void> {
    if (isRunning || isStopped || signal.aborted) return;
    isRunning = true;
    try {
      for (let list = await step(); list && !signal.aborted; list = await step())
        state.set({ list, error: undefined, isSearching: false });
    } catch (error) {
      isStopped = true;
      state.set({ ...state.get(), error, isSearching: false });
    } finally {
      isRunning = false;
    }
  }

  function goOn(): void {
    isStopped = false;
    void run();
  }

  goOn();
  return {
    state,
    follow(head) {
      newBlocks.see(head);
      goOn();
    },
    more() {
      const { list } = state.get();
      if (list && !isStopped) pages = list.pages + 1;
      goOn();
    },
  };
}

function isShort<T>({ cursor, hasFound, pages }: Listed<T>, wanted: number): boolean {
  return cursor !== undefined && (pages < wanted || !hasFound);
}

function queryOf<T>({ cursor }: Listed<T>, limit: number): PageQuery {
  return cursor === undefined ? { limit } : { limit, cursor };
}

/** The list with what new blocks have, or all of it again. */
async function readNewer<T extends Entry>(read: ReadPage<T>, known: Listed<T>, limit: number) {
  const newest = await read({ limit: Math.min(limit, newestCount) });
  let [list, reads] = [withNewest(known, newest, Math.min(limit, newestCount)), 1];
  if (!list) {
    for (list = listOf(newest); isShort(list, known.pages); reads += 1)
      list = withNext(list, await read(queryOf(list, limit)));
  }
  return { list, reads, to: list.covered.to };
}
