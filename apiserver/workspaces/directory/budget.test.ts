import { createManualClock } from '../../../core/lib/manualClock.ts';
import { withSource } from '../../http/limits/source.ts';
import { type Budget, createBudget } from './budget.ts';

/** How many of `count` look-ups an address is granted. */
function granted(budget: Budget, source: string, count: number): number {
  return Array.from({ length: count }, () => {
    try {
      withSource(source, () => budget.spend());
      return 1;
    } catch {
      return 0;
    }
  }).reduce<number>((sum, one) => sum + one, 0);
}

it('an address that uses up its own look-ups leaves the others theirs', () => {
  const refused: string[] = [];
  const metrics = { refused: (budget: string) => void refused.push(budget) };
  const budget = createBudget(createManualClock(), metrics);
  expect(granted(budget, 'attacker', 1000)).toBe(20);
  expect(refused).toHaveLength(980);
  expect(new Set(refused)).toEqual(new Set(['unknownAccounts']));
  expect(granted(budget, 'visitor', 10)).toBe(10);
});

it('many addresses that ask often leave a reserve to those that ask seldom', () => {
  const budget = createBudget(createManualClock(), { refused: () => undefined });
  for (let round = 0; round < 5; round += 1)
    for (let index = 0; index < 10; index += 1) granted(budget, `attacker-${index}`, 20);
  expect(granted(budget, 'visitor', 3)).toBe(3);
});

it('many addresses together have a bound, which refills', () => {
  const clock = createManualClock();
  const budget = createBudget(clock, { refused: () => undefined });
  const all = () =>
    Array.from({ length: 40 }, (_, index) => granted(budget, `address-${index}`, 10)).reduce((a, b) => a + b);
  expect(all()).toBe(150);
  clock.advance(1000);
  expect(all()).toBe(100);
});
