import { issuedAtFirst, liquidityOf } from './token.ts';

it.each([
  [1e23, 10n ** 23n],
  [1e21, 10n ** 21n],
  [1000, 1000n],
])('liquidity of %p is exactly what its text says, and the rest is issued', (liquidity, amount) => {
  expect(liquidityOf({ liquidity })).toBe(amount);
  expect(issuedAtFirst({ total_supply: String(amount + 7n), liquidity })).toBe(7n);
});
