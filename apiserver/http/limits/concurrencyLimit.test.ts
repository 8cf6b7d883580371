import { noBudgetMetrics } from './budgetMetrics.ts';
import { createConcurrencyLimit } from './concurrencyLimit.ts';

const settle = () => new Promise(setImmediate);

/** Begins `count` requests and returns those that have started. */
function beginMany(limit: ReturnType<typeof createConcurrencyLimit>, caller: string, count: number) {
  const begun: { index: number; end: () => void }[] = [];
  for (let index = 0; index < count; index += 1) {
    void limit.begin(caller).then((end) => begun.push({ index, end }));
  }
  return begun;
}

it('limits the concurrent requests of a caller and queues the others in order', async () => {
  const begun = beginMany(createConcurrencyLimit(2, noBudgetMetrics), 'a', 4);
  await settle();
  expect(begun.map(({ index }) => index)).toEqual([0, 1]);
  begun[1]?.end();
  await settle();
  await settle();
  expect(begun.map(({ index }) => index)).toEqual([0, 1, 2]);
});

it('does not make callers wait for each other', async () => {
  const limit = createConcurrencyLimit(1, noBudgetMetrics);
  beginMany(limit, 'greedy', 100);
  const begun = beginMany(limit, 'modest', 1);
  await settle();
  expect(begun).toHaveLength(1);
});

it('counts a request that is ended twice only once', async () => {
  const limit = createConcurrencyLimit(1, noBudgetMetrics);
  const begun = beginMany(limit, 'a', 3);
  await settle();
  begun[0]?.end();
  begun[0]?.end();
  await settle();
  await settle();
  expect(begun).toHaveLength(2);
});

it('refuses a request when hundreds of the same caller wait already', async () => {
  const refused: string[] = [];
  const limit = createConcurrencyLimit(1, { refused: (budget) => void refused.push(budget) });
  const begun = beginMany(limit, 'greedy', 513);
  await expect(limit.begin('greedy')).rejects.toMatchObject({
    reason: 'TooManyRequests',
    message: expect.stringContaining('512 requests waiting'),
  });
  expect(refused).toEqual(['waiting']);
  begun[0]?.end();
  await settle();
  void limit.begin('greedy');
  expect(begun).toHaveLength(2);
});
