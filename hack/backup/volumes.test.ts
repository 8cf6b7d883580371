import { controllerReferenceTo } from '../../core/api/resources/kubeObject.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import type { KubeObject } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { persistentVolumeClaimType } from '../../core/kube/types.ts';
import { engineIncarnationOf } from '../../operator/network/render/childNames.ts';
import { collect } from './collect.ts';
import { type AnyObject, typeOf } from './objects.ts';
import { restore } from './restore.ts';
import { install } from './testing/installation.ts';
import { home, ran, system } from './testing/world.ts';
import { discardSnapshots, type Saving } from './volumes.ts';

const apiVersion = 'snapshot.storage.k8s.io/v1';
const seed = (kube: FakeKube, object: KubeObject & Record<string, unknown>) =>
  kube.seed<AnyObject>(typeOf<AnyObject>(object), object);
const classOf = (driver: string) => ({
  apiVersion,
  kind: 'VolumeSnapshotClass',
  metadata: { name: driver },
  driver,
});

/** An installation with a network on volumes, in a cluster that does what the snapshot controller and a driver do. */
async function aCluster({ driver = 'csi.example', parts = ['rpc'], storage = 'Volume' } = {}) {
  const kube = await install(createFakeKube({ isCollectingGarbage: true, requiresNamespaces: true }));
  seed(kube, classOf(driver));
  const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' } };
  seed(kube, { ...storageClass, provisioner: 'csi.example' });
  const { metadata } = await kube.create(networkType, aNetwork({ name: 'net', namespace: home }));
  await kube.patch(networkType, metadata, { spec: { persistent: true } });
  const status = { ...ran, storage, observedGeneration: 2 };
  const network = await kube.patch(networkType, metadata, { status }, 'status');
  for (const part of parts) {
    const name = `net-${part}-data-${engineIncarnationOf(network)}`;
    kube.seed(persistentVolumeClaimType, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: home, uid: part, ownerReferences: [controllerReferenceTo(network)] },
      spec: { storageClassName: part === 'rpc' ? 'fast' : 'slow', volumeName: 'pv-1' },
    });
  }
  let count = 0;
  const create: FakeKube['create'] = async (type, object) => {
    const stored = await kube.create(type, object);
    if (type.kind !== 'VolumeSnapshot' || 'volumeSnapshotContentName' in object) return stored;
    count += 1;
    const name = `content-${count}`;
    const status = { readyToUse: true, snapshotHandle: `snap-${count}` };
    seed(kube, { apiVersion, kind: 'VolumeSnapshotContent', metadata: { name }, status });
    const bound = { boundVolumeSnapshotContentName: name };
    return kube.patch(type, object.metadata, { status: bound }, 'status');
  };
  const controller = new AbortController();
  const saving: Saving = {
    kube: { ...kube, create },
    say: () => undefined,
    signal: controller.signal,
    taken: [],
  };
  return { kube, saving, network, abort: () => controller.abort(new Error('interrupted')) };
}

const listed = async (kube: FakeKube, kind: string, namespace?: string) => {
  const metadata = { name: '', ...(namespace ? { namespace } : {}) };
  return (await kube.list(typeOf<AnyObject>({ apiVersion, kind, metadata }))).items;
};
const policiesIn = async (kube: FakeKube) =>
  (await listed(kube, 'VolumeSnapshotContent')).map(({ metadata, spec }) => [metadata.name, spec]);
const [retained, deleted] = ['Retain', 'Delete'].map((deletionPolicy) => ({ deletionPolicy }));

it('a volume keeps its name, is filled from its snapshot and belongs to its network', async () => {
  const { kube, saving, network } = await aCluster();
  const backup = await collect(system, saving);
  expect(await policiesIn(kube)).toEqual([['content-1', retained]]);
  const target = createFakeKube({ isCollectingGarbage: true, requiresNamespaces: true });
  seed(target, classOf('csi.example'));
  const name = `net-rpc-data-${engineIncarnationOf(network)}`;
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: home },
    spec: {},
  };
  const stranger = target.seed(persistentVolumeClaimType, claim);
  const bringBack = () => restore({ kube: target, backup });
  await expect(bringBack()).rejects.toThrow(/^PersistentVolumeClaim .* is there already/);
  await target.delete(persistentVolumeClaimType, stranger.metadata);
  for (const _run of ['restored', 'and repeated']) {
    await bringBack();
    const now = await target.get(networkType, network.metadata);
    expect(now && engineIncarnationOf(now)).toBe(engineIncarnationOf(network));
    expect(now?.status).toMatchObject({ state: 'Pending', enclaveID: 'former', observedGeneration: 1 });
    const filled = await target.get(persistentVolumeClaimType, claim.metadata);
    expect(filled?.metadata.ownerReferences).toMatchObject([{ uid: now?.metadata.uid, controller: true }]);
    const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name };
    expect(filled?.spec).toEqual({ storageClassName: 'fast', dataSource });
  }
  const [content] = await listed(target, 'VolumeSnapshotContent');
  expect(content?.spec).toMatchObject({
    ...retained,
    driver: 'csi.example',
    source: { snapshotHandle: 'snap-1' },
    volumeSnapshotRef: { name, namespace: home },
  });
  const [snapshot] = await listed(target, 'VolumeSnapshot', home);
  expect(snapshot?.spec).toEqual({ source: { volumeSnapshotContentName: content?.metadata.name } });
});

it('a backup that does not come about removes its snapshots, also in the storage, and not those of earlier backups', async () => {
  const { kube, saving } = await aCluster();
  await collect(system, saving);
  const next = { ...saving, taken: [] };
  await collect(system, next);
  await discardSnapshots(next);
  expect((await listed(kube, 'VolumeSnapshot', home)).map(({ status }) => status)).toEqual([
    { boundVolumeSnapshotContentName: 'content-1' },
  ]);
  expect(await policiesIn(kube)).toEqual([
    ['content-1', retained],
    ['content-2', deleted],
  ]);
});

it('an interruption ends the wait for a snapshot, which is removed too', async () => {
  const { kube, saving, abort } = await aCluster();
  kube.intercept(({ verb, kind }) => {
    if (verb === 'create' && kind === 'VolumeSnapshot') abort();
  });
  await expect(collect(system, saving)).rejects.toThrow('interrupted');
  await discardSnapshots(saving);
  expect(await listed(kube, 'VolumeSnapshot', home)).toEqual([]);
});

it.each([
  ['no VolumeSnapshotClass has its driver', { driver: 'other.example' }],
  ['one of its volumes cannot be saved', { parts: ['rpc', 'el-1'] }],
  ['its data is in its pod', { storage: 'Pod' }],
])('nothing of a network is saved if %s', async (_why, options) => {
  const { kube, saving } = await aCluster(options);
  expect((await collect(system, saving)).volumes).toEqual([]);
  expect(await listed(kube, 'VolumeSnapshot', home)).toEqual([]);
});
