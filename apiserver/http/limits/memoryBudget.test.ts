import { createMetrics } from '../../../core/lib/metrics.ts';
import { budgetMetricTable, createBudgetMetrics, noBudgetMetrics } from './budgetMetrics.ts';
import { createMemoryBudget, type HolderKind, type MemoryBudget } from './memoryBudget.ts';

const kib = 1024;
const maxBytes = 1024 * kib;

/** Takes a KiB at a time until the budget refuses; how many it gave. */
function fill(budget: MemoryBudget, kind: HolderKind, id: string): number {
  const hold = budget.open(kind, id);
  for (let taken = 0; ; taken += 1) {
    try {
      hold.take(kib);
    } catch {
      return taken;
    }
  }
}

const create = () => createMemoryBudget({ maxBytes, metrics: noBudgetMetrics });

it('gives a network alone a quarter, and an account alone half', () => {
  expect(fill(create(), 'network', 'a')).toBe(256);
  expect(fill(create(), 'account', 'a')).toBe(512);
});

it('leaves room for a hundred newcomers however many greedy networks there are', () => {
  const budget = create();
  const taken = Array.from({ length: 20 }, (_, index) => fill(budget, 'network', `greedy-${index}`));
  expect(taken.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(900);
  const others = Array.from({ length: 100 }, (_, index) => fill(budget, 'network', `modest-${index}`));
  expect(Math.min(...others)).toBeGreaterThan(0);
});

it('counts all requests of a holder together', () => {
  const budget = create();
  expect(fill(budget, 'network', 'a') + fill(budget, 'network', 'a')).toBe(256);
});

it('gets everything back when a request ends, once', () => {
  const budget = create();
  const hold = budget.open('network', 'a');
  hold.take(200 * kib);
  hold.release();
  hold.release();
  hold.give(kib);
  hold.take(kib);
  expect(fill(budget, 'network', 'a')).toBe(256);
});

it('says which budget is used up, and when to retry', () => {
  const hold = create().open('network', 'a');
  expect(() => hold.take(maxBytes)).toThrow(
    expect.objectContaining({
      reason: 'Unavailable',
      retryAfterSeconds: 1,
      message: expect.stringContaining('this network hold its share of the request memory'),
    }),
  );
});

it('reports what is held and what was refused', async () => {
  const metrics = createMetrics([budgetMetricTable]);
  const budget = createMemoryBudget({ maxBytes, metrics: createBudgetMetrics(metrics) });
  const hold = budget.open('account', 'a');
  hold.take(128 * kib);
  expect(() => hold.take(maxBytes)).toThrow();
  const { text } = await metrics.scrape();
  expect(text).toContain('slipway_request_memory_bytes 131072');
  expect(text).toContain('slipway_budget_refusals_total{budget="memory"} 1');
  hold.release();
  expect((await metrics.scrape()).text).toContain('slipway_request_memory_bytes 0');
});
