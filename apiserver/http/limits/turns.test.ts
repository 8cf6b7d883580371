import { createTurns } from './turns.ts';

const refusal = (waiting: number) => `${waiting} of yours are waiting`;

it('lets a caller with few requests pass one with many', async () => {
  const turns = createTurns({ atOnce: 1, maxWaitingPerCaller: 10, refusal });
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
  expect(order).toEqual(['busy', 'modest', 'busy', 'busy']);
});

it('refuses more waiting requests of one caller than allowed, and none of another', async () => {
  const turns = createTurns({ atOnce: 1, maxWaitingPerCaller: 1, refusal });
  const end = await turns.begin('busy');
  const waiting = [turns.begin('busy'), turns.begin('modest')];
  await expect(turns.begin('busy')).rejects.toThrow('1 of yours are waiting');
  end();
  for (const one of waiting) (await one)();
  (await turns.begin('busy'))();
});
