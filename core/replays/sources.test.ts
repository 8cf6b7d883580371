import { randomBytes } from 'node:crypto';
import { replayType } from '../api/resources/resources.ts';
import type { RecordedTransaction } from '../api/rest/replay.ts';
import { createFakeKube } from '../kube/testing/fake/fake.ts';
import { newRun } from './runs.ts';
import { readSource, storeSource } from './sources.ts';

const id = 'net';
const transaction = (nonce: number, bytes = 0): RecordedTransaction => ({
  hash: `0x${'1'.repeat(64)}`,
  from: `0x${'a'.repeat(40)}`,
  value: '0',
  data: `0x${randomBytes(bytes).toString('hex')}`,
  nonce,
  gas_limit: 21_000,
  block: 1,
  timestamp: '2026-01-15T09:30:00Z',
  status: 'success',
});

async function all(groups: AsyncIterable<RecordedTransaction[]>): Promise<RecordedTransaction[]> {
  const found: RecordedTransaction[] = [];
  for await (const group of groups) found.push(...group);
  return found;
}

async function setUp(transactions: RecordedTransaction[]) {
  const kube = createFakeKube();
  const run = await kube.create(replayType, newRun('1', { namespace: 'ws', workspaceId: 'w', userId: 'u' }));
  const store = () =>
    storeSource(kube, run, {
      id,
      async *read() {
        yield transactions;
      },
    });
  return { kube, run, store };
}

test.each([
  ['no transaction', [], 0],
  ['few', [transaction(0), transaction(1)], 1],
  ['more than an object holds', Array.from({ length: 40 }, (_, nonce) => transaction(nonce, 10_000)), 2],
  ['one that is larger than an object', [transaction(0), transaction(1, 600_000), transaction(2)], 2],
])('a document is read as it was stored: %s', async (_, transactions, least) => {
  const { kube, run, store } = await setUp(transactions);
  const texts = await store();
  expect(texts).toBeGreaterThanOrEqual(least);
  expect(await all(readSource(kube, run, { id, texts }))).toEqual(transactions);
});

test('a document that is stored again, as after a crash, is there once', async () => {
  const { kube, store } = await setUp([transaction(0), transaction(1, 600_000)]);
  const texts = await store();
  const stored = (await kube.list(replayType)).items;
  expect(await store()).toBe(texts);
  expect((await kube.list(replayType)).items).toEqual(stored);
});

test('a document of which a part is missing is not taken for a whole', async () => {
  const { kube, run, store } = await setUp([transaction(0)]);
  const texts = await store();
  await expect(all(readSource(kube, run, { id, texts: texts + 1 }))).rejects.toMatchObject({
    reason: 'Unavailable',
  });
});
