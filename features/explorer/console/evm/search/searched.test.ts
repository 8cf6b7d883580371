import { type Searched, type SearchRange, withEarlier, withLater } from './searched.ts';

/** A search that finds each block, three at a time. */
async function search({ to, first }: SearchRange) {
  const from = to - 2n > first ? to - 2n : first;
  const found = Array.from({ length: Number(to - from) + 1 }, (_, back) => to - BigInt(back));
  return { found, from };
}

const known: Searched<bigint> = { from: 4n, to: 5n, found: [5n, 4n] };

test('earlier blocks are searched a part at a time, but none before the first', async () => {
  const earlier = await withEarlier(known, search, 0n);
  expect(earlier).toEqual({ from: 1n, to: 5n, found: [5n, 4n, 3n, 2n, 1n] });
  expect(await withEarlier(earlier, search, 0n)).toMatchObject({ from: 0n, found: [5n, 4n, 3n, 2n, 1n, 0n] });
});

test('all later blocks are searched, however many there are, and none twice', async () => {
  expect(await withLater(known, search, 10n)).toEqual({
    from: 4n,
    to: 10n,
    found: [10n, 9n, 8n, 7n, 6n, 5n, 4n],
  });
  expect(await withLater(known, search, 5n)).toEqual(known);
});
