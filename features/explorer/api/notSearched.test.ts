import { notSearched } from './notSearched.ts';

const covered = { first: '0', from: '0', to: '5000', untraced: 0 };

test('of a list that is complete, nothing is said', () => {
  expect(notSearched(covered, true)).toEqual([]);
});

test('a list that ends before the first block says which blocks were not searched', () => {
  const later = { ...covered, first: '10', from: '1500' };
  expect(notSearched(later, true)).toEqual([expect.stringContaining('Blocks 10 to 1,499 were not searched')]);
  expect(notSearched(later, false)).toEqual([]);
});

test('blocks without traces are counted', () => {
  expect(notSearched({ ...covered, untraced: 2000 }, false)).toEqual([
    expect.stringContaining('no traces of 2,000 of these blocks'),
  ]);
});
