import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { startTestApi } from '../../testing/harness.ts';
import { createRateLimit, noRateLimit, type RateLimit } from './rateLimit.ts';
import { testRefusal } from './testing/refusal.ts';

function refusalOf(work: () => void): AppError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** How many of `count` requests are admitted. */
function passed(limit: RateLimit, caller: string, count: number): number {
  return Array.from({ length: count }, () => refusalOf(() => limit.take(caller))).filter((one) => !one)
    .length;
}

test('admits a burst, then as many requests per second as the rate', () => {
  const clock = createManualClock();
  const limit = createRateLimit({ perSecond: 100, burst: 200 }, clock, testRefusal);
  expect(passed(limit, 'a', 500)).toBe(200);
  clock.advance(500);
  expect(passed(limit, 'a', 500)).toBe(50);
  clock.advance(60_000);
  expect(passed(limit, 'a', 500)).toBe(200);
});

test('the requests of one caller do not affect another', () => {
  const limit = createRateLimit({ perSecond: 1, burst: 5 }, createManualClock(), testRefusal);
  expect(passed(limit, 'greedy', 100)).toBe(5);
  expect(passed(limit, 'modest', 5)).toBe(5);
});

test.each([
  [100, 1],
  [0.1, 10],
])('at %d requests per second, the refusal asks to wait %d s', (perSecond, seconds) => {
  const limit = createRateLimit({ perSecond, burst: 1 }, createManualClock(), testRefusal);
  limit.take('a');
  expect(refusalOf(() => limit.take('a'))).toMatchObject({
    reason: 'TooManyRequests',
    retryAfterSeconds: seconds,
  });
});

test('a check counts nothing and refuses what would be refused', () => {
  const clock = createManualClock();
  const limit = createRateLimit({ perSecond: 1, burst: 1 }, clock, testRefusal);
  for (let look = 0; look < 5; look += 1) limit.check('key-a');
  limit.take('a', 'key-a');
  expect(refusalOf(() => limit.check('key-a'))).toMatchObject({
    reason: 'TooManyRequests',
    retryAfterSeconds: 1,
  });
  expect(refusalOf(() => limit.check('key-b'))).toBeUndefined();
  clock.advance(1000);
  expect(refusalOf(() => limit.check('key-a'))).toBeUndefined();
});

test('all keys of an account draw on the same tokens', () => {
  const limit = createRateLimit({ perSecond: 1, burst: 2 }, createManualClock(), testRefusal);
  limit.take('ann', 'first key');
  limit.take('ann', 'second key');
  for (const key of ['first key', 'second key']) expect(refusalOf(() => limit.check(key))).toBeDefined();
  expect(refusalOf(() => limit.take('ann', 'third key'))).toBeDefined();
  expect(refusalOf(() => limit.check('key of somebody else'))).toBeUndefined();
});

test('a rate of 0 means unlimited', () => {
  expect(
    passed(createRateLimit({ perSecond: 0, burst: 1 }, createManualClock(), testRefusal), 'a', 1000),
  ).toBe(1000);
});

test('setting the clock back neither adds nor removes tokens', () => {
  let nowMs = 1_000_000;
  const clock = { ...createManualClock(), nowMs: () => nowMs };
  const limit = createRateLimit({ perSecond: 1, burst: 2 }, clock, testRefusal);
  expect(passed(limit, 'a', 5)).toBe(2);
  nowMs -= 500_000;
  expect(passed(limit, 'a', 5)).toBe(0);
  nowMs += 1000;
  expect(passed(limit, 'a', 5)).toBe(1);
});

test('what costs more than a request is paid by those that follow', () => {
  const clock = createManualClock();
  const limit = createRateLimit({ perSecond: 10, burst: 20 }, clock, testRefusal);
  limit.take('ann', 'key');
  limit.charge('ann', 69);
  expect(refusalOf(() => limit.check('key'))).toMatchObject({ retryAfterSeconds: 6 });
  expect(passed(limit, 'ben', 30)).toBe(20);
  clock.advance(6000);
  expect(passed(limit, 'ann', 30)).toBe(10);
});

test('over REST, a large answer costs more than a small one', async () => {
  const charges: number[] = [];
  const accountRate = {
    ...noRateLimit,
    charge: (_caller: string, requests: number) => void charges.push(requests),
  };
  const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];
  const kube = createFakeKube();
  const api = await startTestApi({ kube, users, limits: { accountRate } });
  const list = () => api.request('/v1alpha/networks?limit=200');
  await list();
  expect(charges).toEqual([]);
  const status = { message: 'x'.repeat(4000) };
  for (let n = 0; n < 150; n += 1)
    kube.seed(networkType, aNetwork({ namespace: 'ws-one', name: `n${n}`, status }));
  const { text } = await list();
  expect([text.length > 512 * 1024, charges]).toEqual([true, [2]]);
  await api.close();
});

test('over REST: 429 with Retry-After before the body is read; wrong credentials do not count against a key', async () => {
  const users = [
    { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
    { userId: 'ben', workspaceId: 'one', namespace: 'ws-one' },
  ];
  const limit = createRateLimit({ perSecond: 0.001, burst: 3 }, createManualClock(), testRefusal);
  const api = await startTestApi({ kube: createFakeKube(), users, limits: { accountRate: limit } });
  const wrong = { 'X-API-Key-ID': 'ann', 'X-API-Key-Secret': 'wrong' };
  for (let n = 0; n < 5; n++) {
    expect((await api.request('/v1alpha/networks', { as: null, headers: wrong })).status).toBe(401);
  }
  for (let n = 0; n < 3; n++) expect((await api.request('/v1alpha/networks')).status).toBe(200);
  const refused = await api.request('/v1alpha/networks', { raw: 'no JSON at all' });
  expect([refused.status, refused.json.reason]).toEqual([429, 'TooManyRequests']);
  expect(refused.headers.get('retry-after')).toBe('1000');
  expect((await api.request('/v1alpha/networks', { as: 'ben' })).status).toBe(200);
  await api.close();
});
