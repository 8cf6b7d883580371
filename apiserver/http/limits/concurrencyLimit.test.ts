import { createConcurrencyLimit } from './concurrencyLimit.ts';

const settle = () => new Promise(setImmediate);

/** Begins `count` turns and tells which have come. */
function beginMany(turns: ReturnType<typeof createConcurrencyLimit>, caller: string, count: number) {
  const begun: { index: number; end: () => void }[] = [];
  for (let index = 0; index < count; index += 1) {
    void turns.begin(caller).then((end) => begun.push({ index, end }));
  }
  return begun;
}

it('lets a caller have so many requests under way, the others in their order', async () => {
  const begun = beginMany(createConcurrencyLimit(2), 'a', 4);
  await settle();
  expect(begun.map(({ index }) => index)).toEqual([0, 1]);
  begun[1]?.end();
  await settle();
  await settle();
  expect(begun.map(({ index }) => index)).toEqual([0, 1, 2]);
});

it('makes nobody wait for another caller', async () => {
  const turns = createConcurrencyLimit(1);
  beginMany(turns, 'greedy', 100);
  const begun = beginMany(turns, 'modest', 1);
  await settle();
  expect(begun).toHaveLength(1);
});

it('counts a turn that is ended twice once', async () => {
  const turns = createConcurrencyLimit(1);
  const begun = beginMany(turns, 'a', 3);
  await settle();
  begun[0]?.end();
  begun[0]?.end();
  await settle();
  await settle();
  expect(begun).toHaveLength(2);
});
