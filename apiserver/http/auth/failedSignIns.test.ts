import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';
import { noBudgetMetrics } from '../limits/budgetMetrics.ts';
import { createCallerLimits } from '../limits/callerLimits.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
const settings = {
  requestsPerSecond: 0,
  burst: 1,
  concurrent: 32,
  idempotencyKeysPerDay: 0,
  requestMemoryMiB: 320,
  trustedProxies: 1,
};
const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];
const storedId = `k${'0'.repeat(24)}`;
let api: TestApi;
beforeEach(async () => {
  const limits = createCallerLimits(settings, clock, noBudgetMetrics);
  api = await startTestApi({ kube: createFakeKube({ clock }), users, clock, limits });
});
afterEach(() => api.close());

const fail = (source: string, headers: Record<string, string> = { Authorization: 'Bearer ann.wrong' }) =>
  api.request('/v1alpha/networks', { as: null, headers: { ...headers, 'X-Forwarded-For': source } });

test('a wrong API key is an audit line with the source address, and never the secret', async () => {
  const { status, headers } = await fail('1.1.1.1, 203.0.113.7', {
    Authorization: `Bearer ${storedId}.topsecret`,
  });
  expect(status).toBe(401);
  expect(api.audits).toEqual([
    {
      audit: true,
      event: 'failed sign-in',
      user: 'anonymous',
      source: '203.0.113.7',
      apiKey: storedId,
      operation: 'listNetworks',
      outcome: 'Unauthorized',
      failures: 1,
      requestId: headers.get('x-request-id'),
    },
  ]);
  expect(JSON.stringify(api.audits)).not.toContain('topsecret');
});

test('a secret that was sent as the id is not logged', async () => {
  await fail('203.0.113.7', { 'X-API-Key-ID': 'topsecret', 'X-API-Key-Secret': 'x' });
  expect(api.audits).toHaveLength(1);
  expect(JSON.stringify(api.audits)).not.toContain('topsecret');
});

test('a wrong invitation token is a failed sign-in, too', async () => {
  const body = { token: `i${'0'.repeat(24)}.wrong` };
  const headers = { 'X-Forwarded-For': '203.0.113.7' };
  await api.request('/workspace/v1alpha1/invitations/accept', { as: null, body, headers });
  expect(api.audits).toMatchObject([
    { event: 'failed sign-in', source: '203.0.113.7', operation: 'acceptInvitation', outcome: 'NotFound' },
  ]);
});

test('without credentials there is no line', async () => {
  await fail('203.0.113.7', {});
  expect(api.audits).toEqual([]);
});

test('a flood from one source is one line at once and one at the end of the minute', async () => {
  await Promise.all(Array.from({ length: 50 }, () => fail('203.0.113.7')));
  expect(api.audits).toHaveLength(1);
  clock.advance(60_000);
  expect(api.audits).toMatchObject([
    { source: '203.0.113.7', failures: 1 },
    { source: '203.0.113.7', failures: 49, seconds: 60 },
  ]);
  clock.advance(600_000);
  expect(api.audits).toHaveLength(2);
  await fail('203.0.113.7');
  expect(api.audits).toHaveLength(3);
});

test('a flood from many sources has a bounded number of lines, and all failures are counted', async () => {
  await Promise.all(Array.from({ length: 200 }, (_, n) => fail(`203.0.113.${n}`)));
  expect(api.audits.length).toBeLessThanOrEqual(50);
  clock.advance(60_000);
  expect(api.audits.reduce((sum, { failures }) => sum + Number(failures), 0)).toBe(200);
  expect(api.audits.at(-1)).toMatchObject({ source: 'others' });
});

test('the audit line of a change has the source address', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.7' };
  await api.request('/v1alpha/networks', { body: {}, headers });
  expect(api.audits).toMatchObject([{ user: 'ann', operation: 'createNetwork', source: '203.0.113.7' }]);
});
