import { wholeNumber } from './wholeNumber.ts';

test.each([
  [0, 0n],
  [1000, 1000n],
  [-5, -5n],
  [2 ** 53 - 1, 2n ** 53n - 1n],
  [1e21, 10n ** 21n],
  [1e23, 10n ** 23n],
  [1.5e25, 15n * 10n ** 24n],
])('%p is what its text says', (value, whole) => {
  expect(wholeNumber(value)).toBe(whole);
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY])('%p is not a whole number', (value) => {
  expect(() => wholeNumber(value)).toThrow(RangeError);
});
