import { createTurns } from './turns.ts';

it('a holder gets no more than its share at a time, and others get theirs meanwhile', async () => {
  const turns = createTurns(2);
  const { promise, resolve } = Promise.withResolvers<string>();
  const taken = ['a', 'a', 'a', 'b'].map((holder) => turns.take(holder, () => promise));
  expect(taken.map((turn) => turn !== undefined)).toEqual([true, true, false, true]);
  resolve('done');
  await Promise.all(taken);
  expect(await turns.take('a', async () => 'again')).toBe('again');
});

it('work that fails gives its turn back', async () => {
  const turns = createTurns(1);
  await expect(turns.take('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await turns.take('a', async () => 'again')).toBe('again');
});
