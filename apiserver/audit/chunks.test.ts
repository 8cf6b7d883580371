import { maxAuditChunks, maxChunkEntries } from '../../core/api/resources/records/auditChunk.ts';
import { auditChunkType } from '../../core/api/resources/resources.ts';
import type { AuditRecord } from '../../core/api/rest/records/audit.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { createAuditBuffer } from './buffer.ts';
import { chunkSequences, createAppendRecords } from './chunks.ts';
import { auditMetricTable } from './metrics.ts';
import { readAudit } from './read.ts';
import { createAuditRecorder } from './recorder.ts';

const namespace = 'ws-one';
const record = (action: string): AuditRecord => ({
  ...{ at: '2031-01-31T00:00:00Z', userID: 'ann', action, objects: [], outcome: 'ok' },
  ...{ requestID: 'r', count: 1 },
});
const records = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => record(`act${from + index}`));

let kube: FakeKube;
beforeEach(() => {
  kube = createFakeKube();
});

const all = async () =>
  (await readAudit(kube, namespace, { matches: () => true, after: '', limit: 1e6, sinceMs: undefined })).map(
    (one) => one.record.action,
  );

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

test('the oldest chunk is deleted when there are too many', async () => {
  const append = createAppendRecords(kube);
  await append(namespace, records((maxAuditChunks + 2) * maxChunkEntries));
  const sequences = await chunkSequences(kube, namespace);
  expect([sequences.length, sequences[0]]).toEqual([maxAuditChunks, maxAuditChunks + 2]);
});

test('a replica whose chunk was deleted meanwhile goes on with the newest', async () => {
  const [busy, idle] = [createAppendRecords(kube), createAppendRecords(kube)];
  await idle(namespace, records(1));
  await busy(namespace, records((maxAuditChunks + 1) * maxChunkEntries, 1));
  await idle(namespace, [record('late')]);
  expect((await all())[0]).toBe('late');
  expect((await chunkSequences(kube, namespace)).length).toBe(maxAuditChunks);
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
    ...{ kube: over, metrics, clock: systemClock, log: silentLog },
    keyNameOf: () => undefined,
  });
  const note = (operationId: 'createNetwork' | 'deleteNetwork') =>
    recorder.note({
      ...{ operationId, requestId: 'r', outcome: 'ok', objects: [] },
      principal: {
        ...{ userId: 'ann', workspaceId: 'one', namespace, role: 'owner', permissions: new Set() },
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
  const taken = records(maxChunkEntries + 5).filter((one) => buffer.add(namespace, one));
  expect(taken.length).toBe(maxChunkEntries);
  expect(buffer.add(namespace, record('act0'))).toBe(true);
  expect(buffer.take().get(namespace)?.[0]).toMatchObject({ action: 'act0', count: 2 });
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
