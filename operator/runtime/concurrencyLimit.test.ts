import { createConcurrencyLimit } from './concurrencyLimit.ts';

it('a holder gets no more than its share at a time, and others get theirs meanwhile', async () => {
  const limit = createConcurrencyLimit(2);
  const { promise, resolve } = Promise.withResolvers<string>();
  const taken = ['a', 'a', 'a', 'b'].map((holder) => limit.run(holder, () => promise));
  expect(taken.map((turn) => turn !== undefined)).toEqual([true, true, false, true]);
  resolve('done');
  await Promise.all(taken);
  expect(await limit.run('a', async () => 'again')).toBe('again');
});

it('work that fails gives its turn back', async () => {
  const limit = createConcurrencyLimit(1);
  await expect(limit.run('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await limit.run('a', async () => 'again')).toBe('again');
});
