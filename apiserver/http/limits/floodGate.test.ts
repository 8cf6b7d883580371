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
  const refusal = gate(headersOf('greedy'))?.then((error) => answered.push(error));
  await new Promise(setImmediate);
  expect(answered).toEqual([]);
  expect(gate(headersOf('modest'))).toBeUndefined();
  expect(gate({})).toBeUndefined();
  clock.advance(200);
  await refusal;
  expect(answered).toMatchObject([{ reason: 'TooManyRequests', retryAfterSeconds: 1 }]);
});

it('refuses immediately if many refusals are already delayed', async () => {
  const clock = createManualClock();
  const limit = createRateLimit({ perSecond: 1, burst: 1 }, clock, testRefusal);
  limit.take('greedy', 'greedy');
  const gate = createFloodGate(limit, clock);
  for (let index = 0; index < 4096; index += 1) void gate(headersOf('greedy'));
  expect(await gate(headersOf('greedy'))).toMatchObject({ reason: 'TooManyRequests' });
});

it('delays each refusal of a key the longer, the more of them wait, and no other key', async () => {
  const clock = createManualClock();
  const limit = createRateLimit({ perSecond: 0.01, burst: 1 }, clock, testRefusal);
  for (const key of ['greedy', 'hasty']) limit.take(key, key);
  const gate = createFloodGate(limit, clock);
  const answered: string[] = [];
  const ask = (key: string) => void gate(headersOf(key))?.then(() => answered.push(key));
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
