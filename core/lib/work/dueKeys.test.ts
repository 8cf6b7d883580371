import { createDueKeys, type DueKeys } from './dueKeys.ts';

let keys: DueKeys;
beforeEach(() => {
  keys = createDueKeys();
});

it('gives the keys that are due in the order of their times, each once', () => {
  keys.set('late', 30);
  keys.set('second', 20);
  keys.set('first', 10);
  expect(keys.firstMs()).toBe(10);
  expect(keys.take(20)).toEqual(['first', 'second']);
  expect(keys.take(20)).toEqual([]);
  expect(keys.firstMs()).toBe(30);
});

it.each([
  ['set: the last time counts', 'set', 30],
  ['add: the earliest time counts', 'add', 10],
] as const)('keeps one time for each key; %s', (_, method, dueMs) => {
  for (const time of [20, 10, 30]) keys[method]('a', time);
  expect(keys.take(dueMs - 1)).toEqual([]);
  expect(keys.take(dueMs)).toEqual(['a']);
  expect(keys.take(100)).toEqual([]);
});

it('forgets a deleted key', () => {
  keys.set('a', 10);
  keys.delete('a');
  expect(keys.firstMs()).toBeUndefined();
  expect(keys.take(10)).toEqual([]);
});

it('moves all times, so that a clock that was set back makes no key wait longer', () => {
  keys.set('a', 110);
  keys.set('b', 120);
  keys.shift(-100);
  expect(keys.take(15)).toEqual(['a']);
});

it('has no more entries than keys need, however often their times are replaced', () => {
  for (let time = 10_000; time > 0; time -= 1) keys.set('a', time);
  expect(keys.take(1)).toEqual(['a']);
  keys.set('b', 5);
  keys.clear();
  expect([keys.firstMs(), keys.take(10)]).toEqual([undefined, []]);
});
