import { nextSorting, sorted } from './sorting.ts';

const columns = [{ name: 'size', compare: (a: number, b: number) => a - b }, { name: 'plain' }];

it('a column sorts up, then down; another one begins up again', () => {
  const up = nextSorting(undefined, 'size');
  const down = nextSorting(up, 'size');
  expect([sorted([2, 3, 1], columns, up), sorted([2, 3, 1], columns, down)]).toEqual([
    [1, 2, 3],
    [3, 2, 1],
  ]);
  expect(nextSorting(down, 'plain')).toEqual({ by: 'plain', isDescending: false });
});

it('rows stay as they are without a column that sorts', () => {
  const rows = [2, 1];
  expect(sorted(rows, columns, undefined)).toBe(rows);
  expect(sorted(rows, columns, { by: 'plain', isDescending: true })).toBe(rows);
});
