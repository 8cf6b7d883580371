import { backoffMs, doubledMs } from './backoff.ts';

const backoff = { baseMs: 500, maxMs: 3000 };

it('doubles after each failure, up to the longest wait', () => {
  expect([1, 2, 3, 4, 5, 10_000].map((failures) => doubledMs(failures, backoff))).toEqual([
    500, 1000, 2000, 3000, 3000, 3000,
  ]);
});

it.each([
  ['the least', 0, 1000],
  ['the middle', 0.5, 1500],
])(
  'spreads the waits of those that failed together between half and all of it: %s',
  (_, random, expected) => {
    expect(backoffMs(3, { ...backoff, random: () => random })).toBe(expected);
  },
);
