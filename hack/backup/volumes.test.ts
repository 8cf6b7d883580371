import { controllerReferenceTo, type Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { persistentVolumeClaimType } from '../../core/kube/types.ts';
import { engineIncarnationOf } from '../../operator/network/render/childNames.ts';
import { type AnyObject, kindOf } from './kinds.ts';
import { createVolumeSaver, restorableVolumes, volumeObjects } from './volumes.ts';

const api = 'snapshot.storage.k8s.io/v1';
const contentType = kindOf(api, 'VolumeSnapshotContent', false);
const snapshotType = kindOf(api, 'VolumeSnapshot');

function seed(kube: FakeKube, apiVersion: string, kind: string, content: object): void {
  const { name = '', ...rest }: { name?: string } = content;
  kube.seed<AnyObject>(kindOf(apiVersion, kind, false), { apiVersion, kind, metadata: { name }, ...rest });
}

/** A cluster with a network and its volume. It does what the snapshot controller and a driver do. */
function aCluster({ driver = 'csi.example', parts = ['rpc'] } = {}) {
  const kube = createFakeKube();
  seed(kube, api, 'VolumeSnapshotClass', { name: driver, driver });
  seed(kube, 'storage.k8s.io/v1', 'StorageClass', { name: 'fast', provisioner: 'csi.example' });
  const incarnation = { number: 2, members: {}, revision: 0 };
  const status = { storage: 'Volume', incarnation } as const;
  const network = kube.seed(networkType, aNetwork({ name: 'net', namespace: 'ws', status }));
  for (const part of parts) {
    const name = `net-${part}-data-${engineIncarnationOf(network)}`;
    kube.seed(persistentVolumeClaimType, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'ws', uid: part, ownerReferences: [controllerReferenceTo(network)] },
      spec: {
        storageClassName: part === 'rpc' ? 'fast' : 'slow',
        volumeName: 'pv-1',
        accessModes: ['ReadWriteOnce'],
      },
    });
  }
  let count = 0;
  const create: FakeKube['create'] = async (type, object) => {
    const stored = await kube.create(type, object);
    if (type.kind !== 'VolumeSnapshot') return stored;
    count += 1;
    const name = `content-${count}`;
    const handle = { snapshotHandle: `snap-${count}` };
    seed(kube, api, contentType.kind, { name, spec: { deletionPolicy: 'Delete' }, status: handle });
    const ready = { readyToUse: true, boundVolumeSnapshotContentName: name };
    return kube.patch(type, object.metadata, { status: ready }, 'status');
  };
  return { kube: { ...kube, create }, network };
}

const saverOf = (kube: FakeKube, signal = new AbortController().signal) =>
  createVolumeSaver({ kube, say: () => undefined, signal });
const save = (kube: FakeKube, network: Stored<NetworkResource>) => saverOf(kube).save([network]);
const policyOf = async (kube: FakeKube, name: string) => (await kube.get(contentType, { name }))?.spec;

it('a volume is saved where its storage can, and the snapshot outlives its objects', async () => {
  const { kube, network } = aCluster();
  const [saved] = await save(kube, network);
  expect(saved).toMatchObject({ driver: 'csi.example', handle: 'snap-1', network: network.metadata.uid });
  expect(saved?.claim.spec).toEqual({ storageClassName: 'fast', accessModes: ['ReadWriteOnce'] });
  expect(await policyOf(kube, 'content-1')).toEqual({ deletionPolicy: 'Retain' });
});

it('each backup takes a snapshot of its own, also of a claim that has not changed', async () => {
  const { kube, network } = aCluster();
  const handles = [await save(kube, network), await save(kube, network)].map(([one]) => one?.handle);
  expect(handles).toEqual(['snap-1', 'snap-2']);
});

it('a backup that does not come about removes the snapshots it took, also in the storage, and no others', async () => {
  const { kube, network } = aCluster();
  await save(kube, network);
  const saver = saverOf(kube);
  await saver.save([network]);
  await saver.discard();
  const { items } = await kube.list(snapshotType, { namespace: 'ws' });
  expect(items.map(({ status }) => status)).toMatchObject([{ boundVolumeSnapshotContentName: 'content-1' }]);
  expect(await policyOf(kube, 'content-1')).toEqual({ deletionPolicy: 'Retain' });
  expect(await policyOf(kube, 'content-2')).toEqual({ deletionPolicy: 'Delete' });
});

it('an interruption ends the wait for a snapshot, which is removed too', async () => {
  const controller = new AbortController();
  const { kube, network } = aCluster();
  kube.intercept(({ verb, kind }) => {
    if (verb === 'create' && kind === 'VolumeSnapshot') controller.abort(new Error('interrupted'));
  });
  const saver = saverOf(kube, controller.signal);
  await expect(saver.save([network])).rejects.toThrow('interrupted');
  await saver.discard();
  expect((await kube.list(snapshotType, { namespace: 'ws' })).items).toEqual([]);
});

it.each([
  ['no VolumeSnapshotClass has its driver', { driver: 'other.example' }],
  ['one of its volumes cannot be saved', { parts: ['rpc', 'el-1'] }],
])('nothing of a network is saved if %s', async (_why, options) => {
  const { kube, network } = aCluster(options);
  expect(await save(kube, network)).toEqual([]);
  expect((await kube.list(snapshotType, { namespace: 'ws' })).items).toEqual([]);
});

it('a network runs on where the driver of each of its volumes is', async () => {
  const { kube, network } = aCluster();
  const [saved] = await save(kube, network);
  if (!saved) throw new Error('nothing was saved');
  expect(await restorableVolumes(kube, [saved])).toEqual([saved]);
  expect(await restorableVolumes(kube, [saved, { ...saved, driver: 'other.example' }])).toEqual([]);
});

it('a claim is filled from the snapshot that the storage has', async () => {
  const { kube, network } = aCluster();
  const [content, snapshot, claim] = (await save(kube, network)).flatMap(volumeObjects);
  const { name } = claim?.metadata ?? {};
  expect(name).toBe(`net-rpc-data-${engineIncarnationOf(network)}`);
  const volumeSnapshotRef = { kind: 'VolumeSnapshot', name, namespace: 'ws' };
  expect(content?.spec).toMatchObject({
    driver: 'csi.example',
    source: { snapshotHandle: 'snap-1' },
    volumeSnapshotRef,
  });
  expect(snapshot?.metadata).toEqual({ name, namespace: 'ws' });
  expect(snapshot?.spec).toEqual({ source: { volumeSnapshotContentName: content?.metadata.name } });
  expect(claim?.spec).toMatchObject({ dataSource: { kind: 'VolumeSnapshot', name } });
});
