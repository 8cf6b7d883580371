import { barsOf, shareOf, totalOf } from './figures.ts';

const day = (name: string, rpcCalls: number) => ({ day: name, networkHours: 0, transactions: 0, rpcCalls });
const days = [day('2031-01-30', 1000), day('2031-01-31', 1), day('2031-02-01', 0)];

test('the highest bar is full, and a day with any use has one', () => {
  expect(barsOf(days, 'rpcCalls').map(({ height }) => height)).toEqual([100, 4, 0]);
  expect(barsOf(days, 'transactions').map(({ height }) => height)).toEqual([0, 0, 0]);
  expect(totalOf(days, 'rpcCalls')).toBe(1001);
});

test.each([
  ['a part of it', { used: 250, max: 1000 }, 25],
  ['more than all of it', { used: 9, max: 3 }, 100],
  ['nothing of nothing', { used: 0, max: 0 }, 100],
  ['something without a limit', { used: 5 }, undefined],
])('the share of %s', (_what, budget, share) => {
  expect(shareOf({ name: 'networks', ...budget })).toBe(share);
});
