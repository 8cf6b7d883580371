import { readHistory } from './history.ts';

const covered = { first: '0', from: '3', to: '9', untraced: 0 };

/** Reads pages that have these entries, of which each names the next one. */
function reader(pages: number[][]) {
  const asked: object[] = [];
  const read = async (query: { limit: number; cursor?: string }) => {
    asked.push(query);
    const place = Number(query.cursor ?? 0);
    const metadata = place + 1 < pages.length ? { cursor: String(place + 1) } : {};
    return { items: pages[place] ?? [], covered, metadata };
  };
  return { asked, read };
}

test('pages are read until there are as many entries as were asked for, also behind one without entries', async () => {
  const { asked, read } = reader([[1, 2], [], [3], [4]]);
  expect(await readHistory(read, 3)).toEqual({ covered, items: [1, 2, 3], hasMore: true });
  expect(asked).toEqual([{ limit: 3 }, { limit: 1, cursor: '1' }, { limit: 1, cursor: '2' }]);
});

test('the answer says where nothing more follows', async () => {
  expect(await readHistory(reader([[]]).read, 3)).toEqual({ covered, items: [], hasMore: false });
});
