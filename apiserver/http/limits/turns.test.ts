import { noBudgetMetrics } from './budgetMetrics.ts';
import { createTurns } from './turns.ts';

const refusal = (waiting: number) => `${waiting} of yours are waiting`;

it('lets a caller with few requests pass one with many', async () => {
  const turns = createTurns({ atOnce: 1, maxWaitingPerCaller: 10, refusal, budgets: noBudgetMetrics });
  const order: string[] = [];
  const run = async (caller: string) => {
    const end = await turns.begin(caller);
    order.push(caller);
    end();
  };
  const end = await turns.begin('busy');
  const all = [run('busy'), run('busy'), run('busy'), run('modest')];
  end();
  await Promise.all(all);
  expect(order).toEqual(['modest', 'busy', 'busy', 'busy']);
});

it('lets a group with few callers pass one with many, in which callers take turns too', async () => {
  const turns = createTurns({ atOnce: 1, maxWaitingPerCaller: 10, refusal, budgets: noBudgetMetrics });
  const order: string[] = [];
  const run = async (group: string, caller: string) => {
    const end = await turns.begin(`${group}/${caller}`, { group });
    order.push(`${group}/${caller}`);
    end();
  };
  const end = await turns.begin('many/a', { group: 'many' });
  const callers = ['a', 'a', 'b', 'c'];
  const all = [...callers.map((caller) => run('many', caller)), run('few', 'a'), run('few', 'a')];
  end();
  await Promise.all(all);
  expect(order).toEqual(['few/a', 'many/a', 'few/a', 'many/b', 'many/c', 'many/a']);
});

it('gives a caller with expensive work fewer turns', async () => {
  const turns = createTurns({ atOnce: 1, maxWaitingPerCaller: 10, refusal, budgets: noBudgetMetrics });
  const order: string[] = [];
  const run = async (caller: string, price: number) => {
    const end = await turns.begin(caller, { price });
    order.push(caller);
    end();
  };
  const end = await turns.begin('dear', { price: 5 });
  const all = [run('dear', 5), ...Array.from({ length: 6 }, () => run('cheap', 1))];
  end();
  await Promise.all(all);
  expect(order).toEqual(['cheap', 'cheap', 'cheap', 'cheap', 'cheap', 'dear', 'cheap']);
});

it('never lets large work keep small work from all places', async () => {
  const large = { price: 10, atOnce: 1 };
  const turns = createTurns({ atOnce: 2, maxWaitingPerCaller: 10, large, refusal, budgets: noBudgetMetrics });
  const first = await turns.begin('dear', { price: 10 });
  let isSecondRunning = false;
  const second = turns.begin('other', { price: 10 }).then((end) => {
    isSecondRunning = true;
    return end;
  });
  (await turns.begin('cheap'))();
  expect(isSecondRunning).toBe(false);
  first();
  (await second)();
});

it('refuses more waiting requests of one caller than allowed, counts them, and none of another', async () => {
  const refused: string[] = [];
  const budgets = { refused: (budget: string) => void refused.push(budget) };
  const turns = createTurns({ atOnce: 1, maxWaitingPerCaller: 1, refusal, budgets });
  const end = await turns.begin('busy');
  const waiting = [turns.begin('busy'), turns.begin('modest')];
  await expect(turns.begin('busy')).rejects.toThrow('1 of yours are waiting');
  expect(refused).toEqual(['waiting']);
  end();
  for (const one of waiting.toReversed()) (await one)();
  (await turns.begin('busy'))();
});
