import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createMetrics } from '../../../core/lib/metrics.ts';
import type { AuditRecord } from '../api/audit.ts';
import { auditChunkType, maxChunkEntries } from '../api/chunk.ts';
import { createAuditBuffer } from './buffer.ts';
import { chunkSequences, createAppendRecords, type PlacedRecord } from './chunks.ts';
import { compactAudit } from './compact.ts';
import { auditMetricTable } from './metrics.ts';
import { keyOf, readAudit } from './read.ts';
import { createAuditRecorder } from './recorder.ts';

const namespace = 'ws-one';
const record = (action: string): AuditRecord => ({
  at: '2031-01-31T00:00:00Z',
  userID: 'ann',
  action,
  objects: [],
  outcome: 'ok',
  requestID: 'r',
  count: 1,
});
const records = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => record(`act${from + index}`));

let kube: FakeKube;
beforeEach(() => {
  kube = createFakeKube();
});

const everything = { matches: () => true, after: '', limit: 1e6, sinceMs: undefined };
const isDone = ({ record: { outcome } }: PlacedRecord) => outcome === 'ok';
const all = async () => (await readAudit(kube, namespace, everything)).map((one) => one.record.action);

test('a full chunk is followed by the next, and the order is that of the entries', async () => {
  const append = createAppendRecords(kube);
  await append(namespace, records(maxChunkEntries - 1));
  await append(namespace, records(3, maxChunkEntries - 1));
  expect(await chunkSequences(kube, namespace)).toEqual([2, 1]);
  expect(await all()).toEqual(
    records(maxChunkEntries + 2)
      .map(({ action }) => action)
      .reverse(),
  );
});

test('replicas that append at the same time lose nothing', async () => {
  const replicas = Array.from({ length: 4 }, () => createAppendRecords(kube));
  await Promise.all(replicas.map((append, index) => append(namespace, records(100, index * 100))));
  expect(new Set(await all()).size).toBe(400);
});

test('a replica that begins again goes on with the newest chunk', async () => {
  await createAppendRecords(kube)(namespace, records(maxChunkEntries + 1));
  await createAppendRecords(kube)(namespace, records(1, maxChunkEntries + 1));
  expect(await chunkSequences(kube, namespace)).toEqual([2, 1]);
});

const fullChunks = 6;
/** Few, so that the tests are quick. */
const most = fullChunks * maxChunkEntries;
const compact = (over: FakeKube = kube) => compactAudit(over, namespace, most);

/** Adds entries as the recorder does. */
async function add(added: readonly AuditRecord[]): Promise<void> {
  const append = createAppendRecords(kube);
  for (let from = 0; from < added.length; from += maxChunkEntries)
    if (await append(namespace, added.slice(from, from + maxChunkEntries))) await compact();
}

const by = (userID: string, outcome = 'ok') => ({ ...record(`by ${userID}`), userID, outcome });

test('the oldest entries are deleted when there are too many, a thousand at a time', async () => {
  await add(records((fullChunks + 2) * maxChunkEntries));
  const sequences = await chunkSequences(kube, namespace);
  expect([sequences.length, sequences[0]]).toEqual([fullChunks, fullChunks + 2]);
  expect((await all()).at(-1)).toBe('act500');
});

test('one member who does much does not displace what the others did last', async () => {
  await add([...Array(300).fill(by('ben')), ...Array(5).fill(by('cleo'))]);
  await add(records(3 * most));
  const actions = await all();
  expect(actions.length).toBeLessThan(most + 5 * maxChunkEntries);
  expect(actions.filter((action) => action === 'by ben')).toHaveLength(300);
  expect(actions.filter((action) => action === 'by cleo')).toHaveLength(5);
});

test('what members are refused does not displace what they did', async () => {
  await add([by('ann'), ...Array(2 * most).fill(by('ann', 'Forbidden'))]);
  expect(await readAudit(kube, namespace, { ...everything, matches: isDone })).toHaveLength(1);
});

test('entries of others between those of a flood stay in few chunks, at their places', async () => {
  const flood = records(maxChunkEntries - 1);
  for (let round = 0; round < 3 * fullChunks; round += 1) await add([...flood, by('ben')]);
  const read = await readAudit(kube, namespace, everything);
  expect(read.filter(({ record: { userID } }) => userID === 'ben')).toHaveLength(3 * fullChunks);
  expect(read.map(keyOf)).toEqual(read.map(keyOf).toSorted());
  expect((await chunkSequences(kube, namespace)).length).toBeLessThan(2 * fullChunks + 6);
  const [, , third] = read.slice(-3);
  const rest = { ...everything, after: third ? keyOf(third) : '' };
  expect(await readAudit(kube, namespace, rest)).toEqual([]);
  const [before] = read.slice(-4);
  expect(await readAudit(kube, namespace, { ...everything, after: before ? keyOf(before) : '' })).toEqual(
    read.slice(-3),
  );
});

test('an entry that is in two chunks, because a replica crashed, is read once', async () => {
  await add([by('ben'), ...records(4 * most)]);
  const failing: FakeKube = {
    ...kube,
    delete: async () => {
      throw new AppError('Unavailable', 'killed');
    },
  };
  const append = createAppendRecords(kube);
  while (!(await append(namespace, records(maxChunkEntries))));
  await expect(compact(failing)).rejects.toThrow('killed');
  expect((await all()).filter((action) => action === 'by ben')).toHaveLength(1);
  await compact();
  expect((await all()).filter((action) => action === 'by ben')).toHaveLength(1);
});

test('a replica that knows a chunk which was put together with others adds to the newest', async () => {
  const idle = createAppendRecords(kube);
  await idle(namespace, [by('ben')]);
  await add(records(2 * most));
  await idle(namespace, [record('late')]);
  expect((await all())[0]).toBe('late');
});

test('a replica whose chunk was deleted meanwhile goes on with the newest', async () => {
  const [busy, idle] = [createAppendRecords(kube), createAppendRecords(kube)];
  await idle(namespace, records(1));
  await busy(namespace, records((fullChunks + 2) * maxChunkEntries, 1));
  await compact();
  await idle(namespace, [record('late')]);
  expect((await all())[0]).toBe('late');
});

test('only as many chunks are read as a page needs', async () => {
  await createAppendRecords(kube)(namespace, records(12 * maxChunkEntries));
  let reads = 0;
  const get: FakeKube['get'] = (type, ref) => {
    if (type === (auditChunkType as unknown)) reads++;
    return kube.get(type, ref);
  };
  const page = { matches: () => true, after: '', limit: 10, sinceMs: undefined };
  const found = await readAudit({ ...kube, get }, namespace, page);
  expect([found.length > 10, reads]).toEqual([true, 4]);
});

const recorderOver = (over: FakeKube) => {
  const metrics = createMetrics([auditMetricTable]);
  const recorder = createAuditRecorder({
    kube: over,
    metrics,
    clock: systemClock,
    log: silentLog,
    keyNameOf: () => undefined,
  });
  const note = (operationId: 'createNetwork' | 'deleteNetwork') =>
    recorder.note({
      operationId,
      requestId: 'r',
      outcome: 'ok',
      objects: [],
      principal: {
        userId: 'ann',
        workspaceId: 'one',
        namespace,
        role: 'owner',
        permissions: new Set(),
      },
    });
  return { ...recorder, metrics, note };
};

test('what cannot be stored is stored later, together with what came meanwhile', async () => {
  let isDown = true;
  const create: FakeKube['create'] = async (type, object) => {
    if (isDown) throw new AppError('Unavailable', 'not now');
    return kube.create(type, object);
  };
  const recorder = recorderOver({ ...kube, create });
  recorder.note('createNetwork');
  await recorder.flush();
  isDown = false;
  recorder.note('deleteNetwork');
  await recorder.flush();
  expect(await all()).toEqual(['deleteNetwork', 'createNetwork']);
});

test('what waits is bounded, and what does not fit is counted', () => {
  const buffer = createAuditBuffer();
  const taken = records(300).filter((one) => buffer.add(namespace, one) === 0);
  expect(taken.length).toBe(100);
  expect(buffer.add(namespace, record('act0'))).toBe(0);
  expect(buffer.take().get(namespace)?.[0]).toMatchObject({ action: 'act0', count: 2 });
});

test('what waits of many who do much leaves room for one who does little', () => {
  const buffer = createAuditBuffer();
  for (const user of 'abcdefgh')
    for (const one of records(100)) buffer.add(namespace, { ...one, userID: user });
  expect(buffer.add(namespace, by('ben'))).toBe(1);
  const waiting = buffer.take().get(namespace) ?? [];
  expect([waiting.length, waiting.at(-1)?.userID]).toEqual([500, 'ben']);
});

test('entries of a namespace that is gone are counted as dropped', async () => {
  const create: FakeKube['create'] = async () => {
    throw new AppError('NotFound', 'no such namespace');
  };
  const recorder = recorderOver({ ...kube, create });
  recorder.note('createNetwork');
  await recorder.flush();
  const { text } = await recorder.metrics.scrape();
  expect(text).toContain('slipway_audit_entries_total{outcome="dropped"} 1');
});
