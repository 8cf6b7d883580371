import { noBudgetMetrics } from '../../../apiserver/http/limits/budgetMetrics.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { priceOf } from './details.ts';
import { createLookups, type Lookups } from './lookups.ts';

/** How many of `count` look-ups are answered. */
function answered(
  lookups: Lookups,
  source: string,
  { count = 1000, price = 20, account = 'ann' } = {},
): number {
  return Array.from({ length: count }, () => {
    try {
      lookups.charge({ source, account }, price);
      return 1;
    } catch {
      return 0;
    }
  }).reduce<number>((sum, one) => sum + one, 0);
}

test('a look-up costs in proportion to the contract', () => {
  expect(priceOf('x')).toBe(1);
  expect(priceOf('x'.repeat(20 * 8192))).toBe(20);
  expect(answered(createLookups(createManualClock(), noBudgetMetrics), 'bot')).toBe(20);
  expect(answered(createLookups(createManualClock(), noBudgetMetrics), 'bot', { price: 1 })).toBe(400);
});

test('an address leaves the others their look-ups, and the networks of an account those of other accounts', () => {
  const clock = createManualClock();
  const lookups = createLookups(clock, noBudgetMetrics);
  expect(answered(lookups, 'bot')).toBe(20);
  expect(answered(lookups, 'home', { count: 5 })).toBe(5);
  for (const source of ['b', 'c', 'd']) answered(lookups, source);
  expect(answered(lookups, 'e')).toBe(0);
  expect(answered(lookups, 'e', { count: 5, account: 'ben' })).toBe(5);
  clock.advance(60_000);
  expect(answered(lookups, 'home', { count: 5 })).toBe(5);
});
