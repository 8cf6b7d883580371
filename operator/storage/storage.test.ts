import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { recordingChunkType, secretType, usageRecordType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { settle } from '../../core/kube/testing/settle.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { storedBytes } from '../../core/storage/kinds.ts';
import { createStorageLedger } from '../../core/storage/ledger.ts';
import { createStorageController } from './controller.ts';

const startMs = Date.parse('2031-03-01T12:00:00Z');
const quota = { workspaceStoredMiB: 1, storedMiB: 16, workspaceCachedMiB: 256, cachedMiB: 1024 };
const defaultWorkspace = { id: 'default', namespace: 'slipway-default' };
const workspace = (name: string, spec: object) =>
  ({ metadata: { name, namespace: 'slipway-system' }, spec }) as WorkspaceResource;

let kube: FakeKube;
let clock: ReturnType<typeof createManualClock>;
let workspaces: WorkspaceResource[];
let stopping: AbortController;
let ended: Promise<void>;
beforeEach(() => {
  clock = createManualClock(startMs);
  kube = createFakeKube({ clock });
  workspaces = [workspace('default', {})];
  stopping = new AbortController();
});
afterEach(async () => {
  stopping.abort();
  await ended;
});

/** Begins a term of leadership. */
async function lead(): Promise<void> {
  const caches = { workspaces: { list: () => workspaces } };
  const controller = createStorageController({
    kube,
    clock,
    caches,
    defaultWorkspace,
    log: silentLog,
    quota,
  });
  ended = controller.run(stopping.signal);
  await settle();
  await pass(2);
}

async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 2) {
    await clock.advance(2_000);
    await settle();
  }
}

const published = async (namespace = 'slipway-default') =>
  (await kube.get(usageRecordType, { namespace, name: 'usage' }))?.status?.stored;
const object = (kind: string, name: string, size: number) =>
  ({
    apiVersion: 'slipway.dev/v1alpha1',
    kind,
    spec: { data: 'x'.repeat(size) },
    metadata: { name, namespace: 'slipway-default' },
  }) as never;

test('what a workspace stores is published by kind, in bytes as they are in etcd', async () => {
  const secret = await kube.create(secretType, object('Secret', 'key', 1000));
  const chunks = [
    await kube.create(recordingChunkType, object('RecordingChunk', 'one', 50_000)),
    await kube.create(recordingChunkType, object('RecordingChunk', 'two', 30_000)),
  ];
  await lead();
  const recordings = chunks.reduce((sum, chunk) => sum + storedBytes(chunk), 0);
  expect(await published()).toMatchObject({
    account: 'default',
    bytes: storedBytes(secret) + recordings,
    kinds: { secrets: storedBytes(secret), recordings },
  });
  expect((await published())?.cached).toEqual({ secrets: storedBytes(secret) });
});

test('much is published within seconds, little when it has settled, and deletions as well', async () => {
  await lead();
  const before = (await published())?.bytes ?? 0;
  await kube.create(recordingChunkType, object('RecordingChunk', 'large', 400_000));
  await settle();
  await pass(2);
  const after = (await published())?.bytes ?? 0;
  expect(after - before).toBeGreaterThan(400_000);
  await kube.create(secretType, object('Secret', 'small', 1000));
  await settle();
  await pass(2);
  expect((await published())?.bytes).toBe(after);
  await pass(10);
  expect((await published())?.kinds.secrets).toBeGreaterThan(1000);
  await kube.delete(recordingChunkType, { name: 'large', namespace: 'slipway-default' });
  await settle();
  await pass(2);
  expect(await published()).not.toHaveProperty('kinds.recordings');
  await kube.delete(secretType, { name: 'small', namespace: 'slipway-default' });
  await pass(12);
  expect((await published())?.cached).toEqual({});
});

test('what processes keep in memory counts as their budget, also for a replica that stored nothing itself', async () => {
  await kube.create(secretType, object('Secret', 'large', 900_000));
  await lead();
  const narrow = { ...quota, workspaceCachedMiB: 0.5 };
  const record = await kube.get(usageRecordType, { namespace: 'slipway-default', name: 'usage' });
  const records = { list: () => [record], onChange: () => () => {} };
  const ledger = createStorageLedger({ quota: narrow, records: records as never });
  const data = { namespace: 'slipway-default', bytes: 1 };
  expect(ledger.refusal({ ...data, isCached: true })?.message).toContain('quota.workspaceCachedMiB');
  expect(ledger.refusal(data)).toBeUndefined();
});

test('a workspace whose budget is used up says why nothing more is stored, until there is room', async () => {
  await lead();
  const refusal = async () =>
    (await kube.get(usageRecordType, { namespace: 'slipway-default', name: 'usage' }))?.status?.refusal;
  await kube.create(recordingChunkType, object('RecordingChunk', 'large', 1_040_000));
  await pass(12);
  expect(await refusal()).toBeUndefined();
  await kube.create(secretType, object('Secret', 'last', 8_000));
  await pass(12);
  expect(await refusal()).toMatch(
    /^the workspace stores 1 MiB, .* budget of 1 MiB .*Most of it: recordings.*Remedy: delete recordings/,
  );
  await kube.delete(secretType, { name: 'last', namespace: 'slipway-default' });
  await pass(12);
  expect(await refusal()).toBeUndefined();
});

test('a workspace counts for the account that created it, and for whom it is', async () => {
  workspaces.push(workspace('w1', { createdBy: 'ann' }), workspace('w2', { personalFor: 'ben' }));
  await lead();
  expect(await published('slipway-w1')).toMatchObject({ account: 'ann' });
  expect(await published('slipway-w2')).toMatchObject({ account: 'ben' });
});

test('nothing is written while nothing changes', async () => {
  await lead();
  await pass(20);
  const writes = () => kube.requests.filter(({ verb }) => verb === 'patch' || verb === 'create').length;
  const before = writes();
  await pass(600);
  expect(writes()).toBe(before);
});

test('a count that cannot be written is written the next time', async () => {
  kube.failNext({ verb: 'patch', kind: 'UsageRecord', error: new Error('not now') });
  await lead();
  await pass(2);
  expect(await published()).toBeDefined();
});

test('watches that end are counted in the metrics of Kubernetes, and the term goes on', async () => {
  const restarts: string[] = [];
  const given = {
    // The registry of the process is beside it in the operator, and has another shape.
    kube,
    clock,
    log: silentLog,
    metrics: createMetrics([]),
    kubeMetrics: { watchRestarts: (kind: string) => void restarts.push(kind) },
  };
  const caches = { workspaces: { list: () => workspaces } };
  ended = createStorageController({ ...given, caches, defaultWorkspace, quota }).run(stopping.signal);
  await settle();
  await pass(2);
  kube.endWatches();
  await settle();
  expect(restarts).toContain('RecordingChunk');
  await pass(60);
  await kube.create(recordingChunkType, object('RecordingChunk', 'later', 400_000));
  await settle();
  await pass(4);
  expect((await published())?.bytes).toBeGreaterThan(400_000);
});
