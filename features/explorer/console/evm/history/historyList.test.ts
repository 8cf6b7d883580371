import { createManualClock } from '../../../../../core/lib/manualClock.ts';
import type { Page, PageQuery } from '../../../api/history.ts';
import { createHistoryList } from './historyList.ts';

interface Entry {
  block: string;
}
type Asked = PageQuery & {
  answer(page: Page<Entry>): void;
  fail(error: Error): void;
};

/** A list of which each read is answered by hand. */
function startList({ limit = 2, pages = 1 } = {}) {
  const asked: Asked[] = [];
  const clock = createManualClock();
  const own = new AbortController();
  const list = createHistoryList<Entry>({
    read: (query) =>
      new Promise((answer, fail) => {
        asked.push({ ...query, answer, fail });
      }),
    limit,
    pages,
    clock,
    signal: own.signal,
  });
  return { asked, clock, list, close: () => own.abort() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const head = (number: number, hash = `0x${number}`) => ({ enclaveID: 'e', number: String(number), hash });

function page(blocks: number[], { from = 0, to = 10, cursor = '' } = {}): Page<Entry> {
  return {
    items: blocks.map((block) => ({ block: String(block) })),
    covered: { first: '0', from: String(from), to: String(to), untraced: 0 },
    metadata: cursor === '' ? {} : { cursor },
  };
}

/** Answers the oldest read that has no answer. */
const answerer = (asked: Asked[]) => {
  let count = 0;
  return async (next: Page<Entry>) => {
    const [read] = asked.slice(count);
    count += 1;
    read?.answer(next);
    await settled();
  };
};

const first = page([9, 8], { cursor: 'second' });

test('a block that comes while a page is read is read after it', async () => {
  const { asked, list } = startList();
  const answer = answerer(asked);
  list.follow(head(10));
  await answer(first);
  await answer(first);
  list.more();
  list.follow(head(11));
  await answer(page([3]));
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, undefined, 'second', undefined]);
});

test('a block that came before the first page was there is read', async () => {
  const { asked, list } = startList();
  const answer = answerer(asked);
  await answer(first);
  list.follow(head(11));
  await answer(page([11, 9], { to: 11, cursor: 'other' }));
  expect(list.state.get().list?.items.map(({ block }) => block)).toEqual(['11', '9', '8']);
});

test('for a new block one page is read, however many are shown', async () => {
  const { asked, clock, list } = startList({ limit: 100, pages: 3 });
  const answer = answerer(asked);
  await answer(page([9], { cursor: 'second' }));
  await answer(page([8], { cursor: 'third' }));
  await answer(page([7]));
  list.follow(head(10));
  await answer(page([9, 8, 7]));
  clock.advance(1000);
  list.follow(head(11));
  await answer(page([9, 8, 7], { to: 11 }));
  expect(asked.slice(3).map(({ limit, cursor }) => [limit, cursor])).toEqual([
    [50, undefined],
    [50, undefined],
  ]);
});

test('the next page can be asked for while a new block is read, which does not look like a search', async () => {
  const { asked, list } = startList();
  const answer = answerer(asked);
  await answer(first);
  list.follow(head(11));
  expect(list.state.get().isSearching).toBe(false);
  list.more();
  await answer(page([9, 8], { to: 11, cursor: 'other' }));
  expect([asked.at(-1)?.cursor, list.state.get().isSearching]).toEqual(['second', true]);
  await answer(page([3]));
  expect(list.state.get()).toMatchObject({ isSearching: false, list: { cursor: undefined, pages: 2 } });
});

test('when the chain went back, as many pages as there were are read again, and new blocks wait as long', async () => {
  const { asked, clock, list } = startList();
  const answer = answerer(asked);
  await answer(first);
  list.more();
  await answer(page([3, 2], { cursor: 'third' }));
  list.follow(head(8));
  await answer(page([7, 6], { to: 8, cursor: 'again' }));
  expect(list.state.get().list?.items).toHaveLength(4);
  await answer(page([3], { to: 8 }));
  expect(list.state.get().list?.items.map(({ block }) => block)).toEqual(['7', '6', '3']);
  list.follow(head(9));
  await settled();
  clock.advance(1999);
  expect(asked).toHaveLength(4);
  clock.advance(1);
  expect(asked).toHaveLength(5);
});

test('of many new blocks, the others are read with the next answers', async () => {
  const { asked, clock, list } = startList();
  const answer = answerer(asked);
  await answer(first);
  list.follow(head(3000));
  await answer(page([9, 8], { to: 1000, cursor: 'other' }));
  clock.advance(1000);
  await answer(page([9, 8], { to: 3000, cursor: 'other' }));
  clock.advance(1000);
  expect([asked.length, list.state.get().list?.covered.to]).toEqual([3, '3000']);
});

test('after a failure it goes on when it is asked, or with a new block', async () => {
  const { asked, clock, list } = startList();
  asked[0]?.fail(new Error('no answer'));
  await settled();
  expect(list.state.get()).toMatchObject({ error: expect.any(Error), isSearching: false });
  list.more();
  asked[1]?.answer(first);
  await settled();
  expect(list.state.get().error).toBeUndefined();
  list.follow(head(11));
  asked[2]?.fail(new Error('no answer'));
  await settled();
  expect(list.state.get()).toMatchObject({ error: expect.any(Error), list: { pages: 1 } });
  list.follow(head(12));
  await settled();
  clock.advance(1000);
  expect(asked).toHaveLength(4);
});

test('pages without entries are read on, and nothing is read after the page was left', async () => {
  const { asked, list, close } = startList();
  const answer = answerer(asked);
  await answer(page([], { from: 5, cursor: 'second' }));
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'second']);
  close();
  await answer(page([], { from: 2, cursor: 'third' }));
  list.follow(head(11));
  await settled();
  expect(asked).toHaveLength(2);
});
