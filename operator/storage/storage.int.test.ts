import { randomBytes } from 'node:crypto';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import {
  recordingChunkType,
  recordingType,
  secretType,
  usageRecordType,
} from '../../core/api/resources/resources.ts';
import { aRecording, aSecret } from '../../core/api/testing/builders.ts';
import type { KubeObject } from '../../core/kube/kube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { mib } from '../../core/storage/budget.ts';
import { budgetedKube } from '../../core/storage/budgetedKube.ts';
import { isClosedToUsers, storedBytes } from '../../core/storage/kinds.ts';
import { createStorageLedger } from '../../core/storage/ledger.ts';
import { createStorageRecords } from '../../core/storage/records.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { createStorageController } from './controller.ts';

const kube = createTestKube();
const id = randomBytes(4).toString('hex');
const namespace = `slipway-${id}`;
const workspace = { metadata: { name: id, namespace: 'slipway-system' }, spec: { createdBy: 'u-ann' } };
const records = createStorageRecords({ kube, clock: systemClock, log: silentLog });
const stopping = new AbortController();
let running: Promise<void>;

const quota = { workspaceStoredMiB: 1, storedMiB: 64, workspaceCachedMiB: 256, cachedMiB: 1024 };

/** A replica of the API server. */
const replica = () => {
  const ledger = createStorageLedger({ quota, records });
  return { ledger, kube: budgetedKube(kube, { ledger, isRefused: isClosedToUsers }) };
};
const fresh = <T extends KubeObject>(object: T): T => {
  const { uid: _, creationTimestamp: __, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, namespace } };
};
const secret = (name: string) =>
  fresh(aSecret({ name, namespace, spec: { type: 'note', data: `slipway:v2:k1:${'A'.repeat(60_000)}` } }));
const published = async () => (await kube.get(usageRecordType, { namespace, name: 'usage' }))?.status?.stored;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = systemClock.nowMs() + 60_000;
  while (!(await condition())) {
    if (systemClock.nowMs() > endMs) throw new Error(`not in time: ${JSON.stringify(await published())}`);
    await systemClock.sleep(50);
  }
}

beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  records.start();
  await records.whenSynced();
  const controller = createStorageController({
    kube,
    clock: systemClock,
    log: silentLog,
    caches: { workspaces: { list: () => [workspace as WorkspaceResource] } },
    defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
    quota,
  });
  running = controller.run(stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await running;
  await records.stop();
  await kube.close();
});

test('replicas store up to the budget together, and go on when something was deleted', async () => {
  const [one, other] = [replica(), replica()];
  await until(async () => (await published())?.account === 'u-ann');
  for (let count = 0; count < 8; count++) await one.kube.create(secretType, secret(`one-${count}`));
  await until(() => other.ledger.usedIn(namespace).bytes > 480_000);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, count) => other.kube.create(secretType, secret(`other-${count}`))),
  );
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 429, message: expect.stringMatching(/budget of 1 MiB.*secrets \(1 MiB\)/) },
  });
  const stored = (await kube.list(secretType, { namespace })).items;
  const exactly = stored.reduce((sum, object) => sum + storedBytes(object), 0);
  expect(exactly).toBeLessThan(mib);
  expect(exactly).toBeGreaterThan(0.9 * mib);
  await until(async () => (await published())?.bytes === exactly);
  expect((await published())?.cached).toEqual({ secrets: exactly });
  await until(() => one.ledger.refusal({ namespace, bytes: 70_000 }) !== undefined);
  for (const { metadata } of stored) await one.kube.delete(secretType, metadata);
  await until(() => one.ledger.usedIn(namespace).bytes === 0);
  await one.kube.create(secretType, secret('one-again'));
});

test('what Kubernetes deletes with its owner makes room', async () => {
  const { ledger } = replica();
  const before = () => ledger.usedIn(namespace).kinds.recordings ?? 0;
  const recording = await kube.create(recordingType, fresh(aRecording({ name: 'rec', namespace } as never)));
  const spec = { recording: 'rec', network: 'net', networkID: 'n', index: 0, lastBlock: 1, total: 1 };
  const chunk = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'RecordingChunk',
    metadata: { name: 'chunk', namespace },
    spec: { ...spec, lastHash: `0x${'1'.repeat(64)}`, data: 'A'.repeat(mib / 4) },
  };
  await kube.create(recordingChunkType, chunk as never);
  await until(() => before() > mib / 4);
  // The garbage collector, which a test environment does not have, deletes it.
  await kube.delete(recordingType, recording.metadata);
  await kube.delete(recordingChunkType, { name: 'chunk', namespace });
  await until(() => before() === 0);
});
