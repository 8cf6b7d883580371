import { createMetrics } from '../../../core/lib/metrics.ts';
import { budgetMetricTable, createBudgetMetrics, noBudgetMetrics } from './budgetMetrics.ts';
import { createMemoryBudget, type HolderKind, type MemoryBudget } from './memoryBudget.ts';

const kib = 1024;
const maxBytes = 1024 * kib;

/** Takes a KiB at a time until the budget refuses; how many it gave. */
function fill(budget: MemoryBudget, kind: HolderKind, id: string, workspace?: string): number {
  const hold = budget.open(kind, id, workspace);
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

/** What many networks of one workspace get together. */
function fillNetworks(budget: MemoryBudget, workspace: string): number {
  const taken = Array.from({ length: 60 }, (_, index) =>
    fill(budget, 'network', `${workspace}-${index}`, workspace),
  );
  return taken.reduce((sum, one) => sum + one);
}

it('the networks of one workspace, however many, get seven twelfths at most, and others find their share', () => {
  const budget = create();
  const greedy = fillNetworks(budget, 'greedy');
  expect(greedy).toBeGreaterThan(500);
  expect(greedy).toBeLessThanOrEqual((maxBytes / kib) * (7 / 12));
  expect(fill(budget, 'account', 'user/a', 'greedy')).toBeLessThan(4);
  expect(fill(budget, 'network', 'b', 'other')).toBeGreaterThan(80);
  expect(fill(budget, 'account', 'user/b', 'other')).toBeGreaterThan(90);
});

it('so do its accounts and networks together', () => {
  const budget = create();
  const accounts = ['a', 'b', 'c'].map((id) => fill(budget, 'account', `user/${id}`, 'greedy'));
  const all = accounts.reduce((sum, one) => sum + one) + fillNetworks(budget, 'greedy');
  expect(accounts[0]).toBe(512);
  expect(all).toBeLessThanOrEqual((maxBytes / kib) * (7 / 12));
});

it('a few greedy networks of a workspace leave something for its other networks and its members', () => {
  const budget = create();
  for (const id of ['a', 'b', 'c']) expect(fill(budget, 'network', id, 'w')).toBeGreaterThan(80);
  expect(fill(budget, 'network', 'd', 'w')).toBeGreaterThan(40);
  expect(fill(budget, 'account', 'user/a', 'w')).toBeGreaterThan(40);
});

it('however many greedy workspaces there are, another one with little finds room', () => {
  const budget = create();
  for (let number = 0; number < 20; number += 1) fillNetworks(budget, `greedy-${number}`);
  for (let number = 0; number < 100; number += 1)
    expect(fill(budget, 'network', `modest-${number}`, `modest-${number}`)).toBeGreaterThan(0);
});

it('an account counts in the workspace of each of its requests, and for itself in all of them', () => {
  const budget = create();
  const first = budget.open('account', 'user/a', 'one');
  first.take(400 * kib);
  expect(fill(budget, 'account', 'user/a', 'two')).toBe(112);
  first.release();
  expect(fill(budget, 'network', 'b', 'one')).toBeGreaterThan(200);
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

it('says that the workspace holds its share when the network or the account alone would not', () => {
  const budget = create();
  fillNetworks(budget, 'w');
  const refused = {
    message: expect.stringContaining(
      'the requests of all workspaces of the owner of this one hold their share',
    ),
  };
  expect(() => budget.open('network', 'new', 'w').take(kib)).toThrow(expect.objectContaining(refused));
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
