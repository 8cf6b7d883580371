import { type Listed, listOf, withNewest, withNext } from './listed.ts';

const entry = (hash: string, block: number) => ({ hash, block: String(block) });
type Entry = ReturnType<typeof entry>;

const page = (items: Entry[], { from = 0, to = 10, cursor = '' } = {}) => ({
  items,
  covered: { first: '0', from: String(from), to: String(to), untraced: 0 },
  metadata: cursor === '' ? {} : { cursor },
});
const hashes = (list: Listed<Entry> | undefined) => list?.items.map(({ hash }) => hash);

const [a, b, c] = [entry('a', 9), entry('b', 5), entry('c', 2)];
const list = withNext(listOf(page([a, b], { from: 4, cursor: 'second' })), page([c], { cursor: 'third' }));

test('what new blocks have comes before the pages that were read, which stay', () => {
  const next = withNewest(list, page([entry('d', 12), a, b], { to: 12, cursor: 'other' }), 3);
  expect(hashes(next)).toEqual(['d', 'a', 'b', 'c']);
  expect(next).toMatchObject({ cursor: 'third', pages: 2, covered: { from: '0', to: '12' } });
});

test('blocks without entries are only searched', () => {
  expect(withNewest(list, page([a, b], { to: 12 }), 2)).toMatchObject({
    items: [a, b, c],
    covered: { to: '12' },
  });
});

test('an index that was begun again does not make fewer blocks of those that were searched', () => {
  const next = withNewest(list, page([a], { from: 7, to: 12, cursor: 'other' }), 3);
  expect([hashes(next), next?.covered.from]).toEqual([['a', 'b', 'c'], '0']);
});

test('a page that reaches further back than the list adds nothing at its end', () => {
  const short = listOf(page([a], { from: 8, cursor: 'second' }));
  expect(hashes(withNewest(short, page([a, b, c], { to: 12 }), 3))).toEqual(['a']);
});

test.each([
  ['has fewer blocks', page([a, b], { to: 9 })],
  ['has another newest block', page([entry('a', 10), b, c], { to: 12 })],
  ['lost the newest entry', page([b, c], { to: 12 })],
  ['lost all entries', page([], { to: 12 })],
  ['got an entry in a block that was searched', page([entry('x', 10), a, b], { to: 12 })],
])('a list does not go on after the chain went back and %s', (_what, newest) => {
  expect(withNewest(list, newest, 3)).toBeUndefined();
});

test.each([
  ['a page is full of new entries', page([entry('e', 12), entry('d', 11)], { to: 12, cursor: 'other' })],
  ['blocks between them were not searched', page([], { from: 12, to: 14, cursor: 'other' })],
])('it begins again where %s', (_what, newest) => {
  expect(withNewest(list, newest, 2)).toBeUndefined();
});
