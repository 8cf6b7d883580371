import fc from 'fast-check';
import { maxPageBytes, type Page, pageOf } from './paging.ts';

interface Item {
  key: string;
  isWanted: boolean;
  bytes: number;
}

const itemsOf = (keys: string[], build: (key: string) => Partial<Item> = () => ({})): Item[] =>
  [...new Set(keys)]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((key) => ({ key, isWanted: true, bytes: 10, ...build(key) }));

function page(items: readonly Item[], limit: number, after?: string): Page<Item> {
  return pageOf({
    items,
    keyOf: ({ key }) => key,
    matches: ({ isWanted }) => isWanted,
    toJson: ({ bytes }) => 'x'.repeat(bytes),
    limit,
    after,
  });
}

function walk(items: readonly Item[], limit: number): Item[][] {
  const pages: Item[][] = [];
  let after: string | undefined;
  do {
    const next = page(items, limit, after);
    pages.push(next.items);
    after = next.position;
  } while (after !== undefined);
  return pages;
}

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', '1'), minLength: 1, maxLength: 6 });

it('paging through a list returns each matching item once, in order, in full pages', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean())), fc.integer({ min: 1, max: 7 }), (rows, limit) => {
      const wanted = new Map(rows);
      const items = itemsOf([...wanted.keys()], (name) => ({ isWanted: wanted.get(name) ?? false }));
      const pages = walk(items, limit);
      expect(pages.flat()).toEqual(items.filter(({ isWanted }) => isWanted));
      expect(pages.slice(0, -1).every((shown) => shown.length === limit)).toBe(true);
      expect(pages.length === 1 || (pages.at(-1)?.length ?? 0) > 0).toBe(true);
    }),
  );
});

it('items added or removed between pages do not shift the others', () => {
  fc.assert(
    fc.property(fc.array(key), fc.array(key), fc.array(key), (staying, leaving, coming) => {
      const before = itemsOf([...staying, ...leaving]);
      const first = page(before, 3);
      if (first.position === undefined) return;
      const gone = new Set(leaving.filter((name) => !staying.includes(name)));
      const now = itemsOf([...before.map((item) => item.key).filter((name) => !gone.has(name)), ...coming]);
      const seen = [...first.items, ...walkFrom(now, first.position)].map((item) => item.key);
      expect(new Set(seen).size).toBe(seen.length);
      for (const name of staying) expect(seen).toContain(name);
    }),
  );
});

function walkFrom(items: readonly Item[], after: string): Item[] {
  const { items: shown, position } = page(items, 3, after);
  return position === undefined ? shown : [...shown, ...walkFrom(items, position)];
}

it('a page ends at its size in bytes', () => {
  const items = itemsOf(['a', 'b', 'c'], () => ({ bytes: maxPageBytes / 2 }));
  expect(walk(items, 50).map((shown) => shown.length)).toEqual([2, 1]);
});

it('an item larger than a page gets a page of its own', () => {
  const items = itemsOf(['a', 'b'], () => ({ bytes: maxPageBytes + 1 }));
  expect(walk(items, 50).map((shown) => shown.length)).toEqual([1, 1]);
});

it('the last page has no position, even if it is full', () => {
  const items = itemsOf(['a', 'b', 'c', 'd'], (name) => ({ isWanted: name < 'c' }));
  expect(page(items, 2).position).toBeUndefined();
  expect(page([], 2)).toEqual({ items: [], json: [] });
});
