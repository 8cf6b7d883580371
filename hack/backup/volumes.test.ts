import { labels } from '../../core/api/names.ts';
import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { persistentVolumeClaimType } from '../../core/kube/types.ts';
import { engineIncarnationOf } from '../../operator/network/render/childNames.ts';
import type { AnyObject } from './kinds.ts';
import { createRenames, learnIncarnation } from './renames.ts';
import { canRestore, createVolumeSaver, restoreVolume } from './volumes.ts';

interface AnyKind extends KubeObject {
  [member: string]: unknown;
}
const kind = (group: string, name: string, plural: string, isNamespaced = false): ResourceType<AnyKind> => ({
  ...{ group, version: 'v1', kind: name, plural, isNamespaced },
});
const snapshots = 'snapshot.storage.k8s.io';
const classType = kind(snapshots, 'VolumeSnapshotClass', 'volumesnapshotclasses');
const contentType = kind(snapshots, 'VolumeSnapshotContent', 'volumesnapshotcontents');
const snapshotType = kind(snapshots, 'VolumeSnapshot', 'volumesnapshots', true);
const storageType = kind('storage.k8s.io', 'StorageClass', 'storageclasses');

const seedClass = (kube: FakeKube, driver: string) =>
  kube.seed(classType, {
    apiVersion: `${snapshots}/v1`,
    kind: 'VolumeSnapshotClass',
    metadata: { name: driver },
    driver,
  });

function seedNetwork(kube: FakeKube): Stored<NetworkResource> {
  const incarnation = { number: 2, members: {}, revision: 0, startedAt: '2026-01-01T00:00:00Z' };
  const metadata = { name: 'net', namespace: 'ws', uid: '11111111-1111-4111-8111-111111111111' };
  const status = { storage: 'Volume' as const, state: 'Operational' as const, incarnation };
  const network = kube.seed(networkType, { ...aNetwork({ metadata }), status });
  const id = engineIncarnationOf(network);
  kube.seed(storageType, {
    ...{
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'csi.example',
    },
  });
  kube.seed(persistentVolumeClaimType, {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: {
      ...{ name: `net-rpc-data-${id}`, namespace: 'ws' },
      labels: { [labels.network]: network.metadata.uid, [labels.incarnation]: id },
      ownerReferences: [
        { apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', name: 'net', uid: network.metadata.uid },
      ],
    },
    spec: { storageClassName: 'fast', volumeName: 'pv-1', accessModes: ['ReadWriteOnce'] },
  });
  return network;
}

/** Does what the snapshot controller and a driver do. */
function playDriver(kube: FakeKube): FakeKube {
  const { create } = kube;
  let count = 0;
  return {
    ...kube,
    async create(type, object) {
      const stored = await create(type, object);
      if (type.kind === 'VolumeSnapshot') {
        count += 1;
        const content = {
          apiVersion: `${snapshots}/v1`,
          kind: 'VolumeSnapshotContent',
          metadata: { name: `content-${count}` },
        };
        kube.seed(contentType, {
          ...content,
          spec: { deletionPolicy: 'Delete' },
          status: { snapshotHandle: `snap-${count}` },
        });
        const status = { readyToUse: true, boundVolumeSnapshotContentName: `content-${count}` };
        await kube.patch(type, object.metadata, { status }, 'status');
      }
      return stored;
    },
  };
}

const saverOf = (kube: FakeKube, signal = new AbortController().signal) =>
  createVolumeSaver({ kube, say: () => undefined, signal });
const save = (kube: FakeKube, network: Stored<NetworkResource>, saver = saverOf(kube)) =>
  saver.save([network as unknown as Stored<AnyObject>]);

it('a volume is saved where its storage can, and the snapshot outlives its objects', async () => {
  const kube = playDriver(createFakeKube());
  seedClass(kube, 'csi.example');
  const saved = await save(kube, seedNetwork(kube));
  expect(saved).toMatchObject([{ driver: 'csi.example', handle: 'snap-1', network: expect.any(String) }]);
  expect(saved[0]?.claim.spec).toEqual({ storageClassName: 'fast', accessModes: ['ReadWriteOnce'] });
  expect(await kube.get(contentType, { name: 'content-1' })).toMatchObject({
    spec: { deletionPolicy: 'Retain' },
  });
});

it('each backup takes a snapshot of its own, also of a claim that has not changed', async () => {
  const kube = playDriver(createFakeKube());
  seedClass(kube, 'csi.example');
  const network = seedNetwork(kube);
  const handles = [await save(kube, network), await save(kube, network)].map(([one]) => one?.handle);
  expect(handles).toEqual(['snap-1', 'snap-2']);
});

it('a backup that does not come about removes the snapshots it took, also in the storage, and no others', async () => {
  const kube = playDriver(createFakeKube());
  seedClass(kube, 'csi.example');
  const network = seedNetwork(kube);
  await save(kube, network);
  const saver = saverOf(kube);
  await save(kube, network, saver);
  await saver.discard();
  const { items } = await kube.list(snapshotType, { namespace: 'ws' });
  expect(items.map(({ status }) => status)).toMatchObject([{ boundVolumeSnapshotContentName: 'content-1' }]);
  const policyOf = async (name: string) => (await kube.get(contentType, { name }))?.spec;
  expect(await policyOf('content-1')).toEqual({ deletionPolicy: 'Retain' });
  expect(await policyOf('content-2')).toEqual({ deletionPolicy: 'Delete' });
});

it('an interruption ends the wait for a snapshot, which is removed too', async () => {
  const controller = new AbortController();
  const fake = createFakeKube();
  seedClass(fake, 'csi.example');
  const kube: FakeKube = {
    ...fake,
    async create(type, object) {
      const stored = await fake.create(type, object);
      if (type.kind === 'VolumeSnapshot') controller.abort(new Error('interrupted'));
      return stored;
    },
  };
  const saver = saverOf(kube, controller.signal);
  await expect(save(kube, seedNetwork(kube), saver)).rejects.toThrow('interrupted');
  await saver.discard();
  expect((await kube.list(snapshotType, { namespace: 'ws' })).items).toEqual([]);
});

it('without a VolumeSnapshotClass of its driver, nothing is saved', async () => {
  const kube = playDriver(createFakeKube());
  seedClass(kube, 'other.example');
  expect(await save(kube, seedNetwork(kube))).toEqual([]);
});

it('no snapshot is taken of a network of which one volume cannot be saved', async () => {
  const kube = playDriver(createFakeKube());
  seedClass(kube, 'csi.example');
  const network = seedNetwork(kube);
  const { items } = await kube.list(persistentVolumeClaimType, { namespace: 'ws' });
  const uid = '22222222-2222-4222-8222-222222222222';
  for (const { metadata, spec } of items) {
    kube.seed(persistentVolumeClaimType, {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
      metadata: { ...metadata, name: metadata.name.replace('rpc', 'el-1'), uid },
      spec: { ...spec, storageClassName: 'slow' },
    });
  }
  expect(await save(kube, network)).toEqual([]);
  expect((await kube.list(snapshotType, { namespace: 'ws' })).items).toEqual([]);
});

it('a restored claim is filled from the snapshot, and has the name that its network looks for', async () => {
  const kube = playDriver(createFakeKube());
  seedClass(kube, 'csi.example');
  const network = seedNetwork(kube);
  const [saved] = await save(kube, network);
  if (!saved) throw new Error('nothing was saved');
  const target = createFakeKube();
  seedClass(target, 'csi.example');
  const uid = '22222222-2222-4222-8222-222222222222';
  const renames = createRenames();
  renames.add(network.metadata.uid, uid);
  learnIncarnation(renames, network as unknown as Stored<AnyObject>, uid);
  await restoreVolume(target, saved, renames);
  await restoreVolume(target, saved, renames);
  const name = `net-rpc-data-${engineIncarnationOf({ ...network, metadata: { ...network.metadata, uid } })}`;
  expect(await target.get(persistentVolumeClaimType, { namespace: 'ws', name })).toMatchObject({
    metadata: { ownerReferences: [{ uid }], labels: { [labels.network]: uid } },
    spec: { dataSource: { kind: 'VolumeSnapshot', name } },
  });
  expect(await target.get(contentType, { name: `slipway-restore-ws-${name}` })).toMatchObject({
    spec: {
      driver: 'csi.example',
      source: { snapshotHandle: 'snap-1' },
      volumeSnapshotRef: { namespace: 'ws', name },
    },
  });
  expect(await target.get(snapshotType, { namespace: 'ws', name })).toBeDefined();
});

it('a cluster without the driver cannot restore the volume', async () => {
  const kube = createFakeKube();
  seedClass(kube, 'other.example');
  const volume = { driver: 'csi.example', handle: 'snap-1', network: 'n', claim: {} as never };
  expect((await canRestore(kube))(volume)).toBe(false);
});
