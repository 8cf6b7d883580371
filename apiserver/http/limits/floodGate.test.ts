import { createManualClock } from '../../../core/lib/manualClock.ts';
import { createFloodGate } from './floodGate.ts';
import { createRateLimit } from './rateLimit.ts';
import { testRefusal } from './testing/refusal.ts';

const headersOf = (keyId: string) => ({ 'x-api-key-id': keyId, 'x-api-key-secret': 's' });

it('delays refusals, so that a flood waits for them, and admits all others immediately', async () => {
  const clock = createManualClock();
  const limit = createRateLimit({ perSecond: 1, burst: 1 }, clock, testRefusal);
  const gate = createFloodGate(limit, clock);
  expect(gate(headersOf('greedy'))).toBeUndefined();
  limit.take('greedy', 'greedy');
  const answered: unknown[] = [];
  const held = gate(headersOf('greedy'));
  const refusal = held instanceof Promise ? held.then((error) => answered.push(error)) : undefined;
  await new Promise(setImmediate);
  expect(answered).toEqual([]);
  expect(gate(headersOf('modest'))).toBeUndefined();
  expect(gate({})).toBeUndefined();
  clock.advance(200);
  await refusal;
  expect(answered).toMatchObject([{ reason: 'TooManyRequests', retryAfterSeconds: 1 }]);
});

it('closes connections of a key with many delayed refusals, and refuses other keys immediately when all have many', async () => {
  const clock = createManualClock();
  const limit = createRateLimit({ perSecond: 1, burst: 1 }, clock, testRefusal);
  const gate = createFloodGate(limit, clock);
  const keys = ['one', 'two', 'three', 'four', 'five'];
  for (const key of keys) limit.take(key, key);
  for (const key of keys.slice(0, 4)) {
    for (let index = 0; index < 1024; index += 1) void gate(headersOf(key));
    expect(gate(headersOf(key))).toBe('close');
  }
  expect(await gate(headersOf('five'))).toMatchObject({ reason: 'TooManyRequests' });
});

it('delays each refusal of a key the longer, the more of them wait, and no other key', async () => {
  const clock = createManualClock();
  const limit = createRateLimit({ perSecond: 0.01, burst: 1 }, clock, testRefusal);
  for (const key of ['greedy', 'hasty']) limit.take(key, key);
  const gate = createFloodGate(limit, clock);
  const answered: string[] = [];
  const ask = (key: string) => {
    const refusal = gate(headersOf(key));
    if (refusal instanceof Promise) void refusal.then(() => answered.push(key));
  };
  for (let count = 0; count < 200; count += 1) ask('greedy');
  ask('hasty');
  await clock.advance(200);
  await new Promise(setImmediate);
  expect(answered.filter((key) => key === 'hasty')).toHaveLength(1);
  expect(answered.filter((key) => key === 'greedy').length).toBeLessThanOrEqual(21);
  await clock.advance(800);
  await new Promise(setImmediate);
  expect(answered.filter((key) => key === 'greedy').length).toBeLessThanOrEqual(101);
  await clock.advance(1000);
  await new Promise(setImmediate);
  expect(answered).toHaveLength(201);
});
