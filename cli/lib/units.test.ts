import { coinsText } from './units.ts';

it.each([
  [10n ** 24n, 18, '1000000'],
  [1_500_000_000_000_000_000n, 18, '1.5'],
  [1n, 18, '0'],
  [999_999_999_999_999_999n, 18, '0.999999'],
  [0n, 18, '0'],
  [123n, 0, '123'],
])('%s of %i decimals is %s', (amount, decimals, text) => {
  expect(coinsText(amount, decimals)).toBe(text);
});
