import { setImmediate } from 'node:timers/promises';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';

/** Bodies that are small on the wire and large once parsed. */

const users = ['ann', 'ben'].map((userId) => ({ userId, workspaceId: 'one', namespace: 'ws-one' }));
const mebibyte = 1024 * 1024;
const replay = '/transaction/v1alpha1/transaction/recording/replay';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ kube: createFakeKube(), users });
});
afterAll(() => api.close());

const documentOf = (transactions: string) =>
  `{"replayDocument":{"version":"slipway.replay/v1","networks":{"n1":{"chainId":"1","firstBlock":0,"lastBlock":0,"transactions":[${transactions}]}}}}`;
const bomb = documentOf(`{}${',{}'.repeat((31 * mebibyte) / 3)}`);
const post = (raw: string, as = 'ann') => api.request(replay, { method: 'POST', raw, as });
const listing = (as: string) => api.request('/v1alpha/networks', { as });

it('31 MiB of {} are 413 with the limit, and cost no more memory than their bytes', async () => {
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const { status, json } = await post(bomb);
  expect([status, json.reason]).toEqual([413, 'TooLarge']);
  expect(json.message).toContain(
    'too many JSON values: parsed, this request may occupy at most 83886080 bytes',
  );
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * mebibyte);
});

it.each([
  [
    'invalid items',
    documentOf(`{}${',{}'.repeat(200_000)}`),
    /^the request is invalid: .*only the first error/,
  ],
  [
    'unknown fields',
    `{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":0`).join()}}`,
    /^the body is invalid: it has more than 1000 members$/,
  ],
  [
    'networks',
    `{"replayDocument":{"networks":{${Array.from({ length: 60_000 }, (_, n) => `"n${n}":{"transactions":[]}`).join()}}}}`,
    /^the body is invalid: replayDocument.networks has more than 1000 members$/,
  ],
  [
    'items that are not objects',
    documentOf(`0${',0'.repeat(500_000)}`),
    /^the request is invalid: .*only the first error/,
  ],
])('a large body with %s is 400 with a short answer', async (_what, text, message) => {
  const { status, json, text: answer } = await post(text);
  expect(status).toBe(400);
  expect(json.message).toMatch(message);
  expect(answer.length).toBeLessThan(20_000);
});

it('a small body has at most 2.5 MiB of values, however few bytes they have on the wire', async () => {
  const raw = `{"name":[{}${',{}'.repeat(50_000)}]}`;
  const { status, json } = await api.request('/v1alpha/networks', { method: 'POST', raw });
  expect([status, json.message]).toEqual([413, expect.stringContaining('at most 2621440 bytes')]);
});

describe('while an account sends a large body', () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { promise: isLarge, resolve: hasBegun } = Promise.withResolvers<void>();
  let first: Promise<Response>;

  beforeAll(async () => {
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(Buffer.alloc(2 * mebibyte, 0x20));
        hasBegun();
        await mayEnd;
        controller.close();
      },
    });
    const headers = { Authorization: 'Bearer ann.secret-of-ann', 'Content-Type': 'application/json' };
    first = fetch(`${api.url}${replay}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    await isLarge;
    // Otherwise the second one could take the only place, and the first one would be refused.
    while ((await heldBytes()) < mebibyte) await setImmediate();
  });
  const heldBytes = async () => Number(/^slipway_request_memory_bytes (\d+)$/m.exec(await api.scrape())?.[1]);
  afterAll(async () => {
    end();
    await (await first).text();
  });

  it('its second one is 429, and says what to wait for', async () => {
    const answer = await post(' '.repeat(2 * mebibyte));
    expect(answer.status).toBe(429);
    expect(answer.json.message).toContain('one body over 1 MiB at a time');
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('its small requests and the large ones of others pass', async () => {
    expect((await listing('ann')).status).toBe(200);
    expect((await post(`{"recordingId":"none"}${' '.repeat(2 * mebibyte)}`, 'ben')).status).not.toBe(429);
  });
});

it('a caller over its share of the memory gets 503, and the others pass', async () => {
  const kube = createFakeKube();
  const small = await startTestApi({ kube, users, requestMemoryMiB: 2 });
  const raw = `{"name":[0${',0'.repeat(60_000)}]}`.padEnd(mebibyte - 100_000);
  const refused = await small.request('/v1alpha/networks', { method: 'POST', raw });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.json.message).toContain('limits.requestMemoryMiB');
  expect((await small.request('/v1alpha/networks', { method: 'POST', raw: '{}', as: 'ben' })).status).toBe(
    400,
  );
  expect(await small.scrape()).toContain('slipway_budget_refusals_total{budget="memory"} 1');
  expect(await small.scrape()).toContain('slipway_request_memory_bytes 0');
  await small.close();
});
