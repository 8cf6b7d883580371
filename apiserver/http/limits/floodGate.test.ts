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
  for (let index = 0; index < 1000; index += 1) void gate(headersOf('greedy'));
  expect(await gate(headersOf('greedy'))).toMatchObject({ reason: 'TooManyRequests' });
});
