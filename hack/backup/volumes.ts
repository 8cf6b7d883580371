import { randomBytes } from 'node:crypto';
import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import { type PersistentVolumeClaim, persistentVolumeClaimType } from '../../core/kube/types.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { engineIncarnationOf, isOfIncarnation } from '../../operator/network/render/childNames.ts';
import { waitUntil } from '../lib/wait.ts';
import type { AnyObject } from './kinds.ts';
import { canMove } from './networks.ts';
import type { Renames } from './renames.ts';

/** The volume of a network, in a snapshot that its storage keeps. */
export interface SavedVolume {
  /** The claim, without what the cluster set. */
  claim: PersistentVolumeClaim;
  /** uid of the network. */
  network: string;
  driver: string;
  /** What the storage calls the snapshot. */
  handle: string;
}

export type SaveVolumes = (objects: readonly Stored<AnyObject>[]) => Promise<SavedVolume[]>;

export interface VolumeSaver {
  save: SaveVolumes;
  /** Removes the snapshots of a backup that did not come about, which no file names. */
  discard(): Promise<void>;
}

const snapshots = { group: 'snapshot.storage.k8s.io', version: 'v1' } as const;
const snapshotApi = `${snapshots.group}/${snapshots.version}`;
const snapshotLimitMs = 10 * 60_000;

interface SnapshotClass extends KubeObject {
  driver: string;
}
interface StorageClass extends KubeObject {
  provisioner: string;
}
interface VolumeSnapshot extends KubeObject {
  spec: { volumeSnapshotClassName?: string; source: object };
  status?: { readyToUse?: boolean; boundVolumeSnapshotContentName?: string; error?: { message?: string } };
}
interface SnapshotContent extends KubeObject {
  spec: Record<string, unknown>;
  status?: { snapshotHandle?: string };
}

const classType: ResourceType<SnapshotClass> = {
  ...{ ...snapshots, kind: 'VolumeSnapshotClass', plural: 'volumesnapshotclasses', isNamespaced: false },
};
const snapshotType: ResourceType<VolumeSnapshot> = {
  ...{ ...snapshots, kind: 'VolumeSnapshot', plural: 'volumesnapshots', isNamespaced: true },
};
const contentType: ResourceType<SnapshotContent> = {
  ...{ ...snapshots, kind: 'VolumeSnapshotContent', plural: 'volumesnapshotcontents', isNamespaced: false },
};
const storageClassType: ResourceType<StorageClass> = {
  ...{
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    isNamespaced: false,
  },
};

export interface VolumeSaverOptions {
  kube: Kube;
  say(line: string): void;
  /** Ends the backup. */
  signal: AbortSignal;
}

/** Takes a snapshot of each volume whose network can run on from it, where the storage class has a VolumeSnapshotClass. */
export function createVolumeSaver(options: VolumeSaverOptions): VolumeSaver {
  const { kube, say } = options;
  // A snapshot of an earlier backup has the data of that time.
  const run = randomBytes(4).toString('hex');
  const taken: NamespacedRef[] = [];
  return {
    async save(objects) {
      const classes = await snapshotClasses(kube);
      if (classes.length === 0) return [];
      const saved: SavedVolume[] = [];
      for (const object of objects) {
        if (object.kind !== 'Network' || !canMove(object as unknown as NetworkResource)) continue;
        const network = object as unknown as Stored<NetworkResource>;
        saved.push(...(await saveNetwork({ ...options, classes, run, taken }, network)));
      }
      return saved;
    },
    async discard() {
      for (const ref of taken) {
        await removeSnapshot(kube, ref).catch((error: unknown) => {
          const command = `kubectl -n ${ref.namespace} delete volumesnapshot ${ref.name}`;
          say(`A snapshot of this backup is left, which nothing needs: ${command} (${String(error)})`);
        });
      }
    },
  };
}

interface NamespacedRef {
  namespace: string;
  name: string;
}

interface Saving extends VolumeSaverOptions {
  classes: readonly SnapshotClass[];
  /** Part of the names of the snapshots that this backup takes. */
  run: string;
  /** The snapshots that this backup has begun to take. */
  taken: NamespacedRef[];
}

async function removeSnapshot(kube: Kube, ref: NamespacedRef): Promise<void> {
  const name = (await kube.get(snapshotType, ref))?.status?.boundVolumeSnapshotContentName;
  // Else the storage keeps the data.
  if (name !== undefined && (await kube.get(contentType, { name })))
    await kube.patch(contentType, { name }, { spec: { deletionPolicy: 'Delete' } });
  await kube.delete(snapshotType, ref);
}

/** All volumes of its chain, or none. */
async function saveNetwork(saving: Saving, network: Stored<NetworkResource>): Promise<SavedVolume[]> {
  const { namespace, name, uid } = network.metadata;
  const incarnation = engineIncarnationOf(network);
  const { items } = await saving.kube.list(persistentVolumeClaimType, { namespace });
  const claims = items.filter(ownedBy(network)).filter((claim) => isOfIncarnation(claim, incarnation));
  const pairs: { claim: Stored<PersistentVolumeClaim>; snapshotClass: SnapshotClass }[] = [];
  for (const claim of claims) {
    const snapshotClass = await classOf(saving, claim);
    if (!snapshotClass) return [];
    pairs.push({ claim, snapshotClass });
  }
  const saved: SavedVolume[] = [];
  for (const { claim, snapshotClass } of pairs) {
    const snapshot = await saveClaim(saving, claim, snapshotClass);
    saving.say(`volume ${namespace}/${claim.metadata.name} of network ${name}: snapshot taken`);
    saved.push({ ...snapshot, network: uid, claim: bare(claim) });
  }
  return saved;
}

/** The VolumeSnapshotClass of a claim's driver; undefined where it has none. */
async function classOf(
  { kube, classes }: Saving,
  { spec }: PersistentVolumeClaim,
): Promise<SnapshotClass | undefined> {
  const storage = await kube.get(storageClassType, { name: spec.storageClassName ?? '-' });
  return classes.find(({ driver }) => driver === storage?.provisioner);
}

async function saveClaim(
  saving: Saving,
  { metadata }: Stored<PersistentVolumeClaim>,
  snapshotClass: SnapshotClass,
): Promise<Pick<SavedVolume, 'driver' | 'handle'>> {
  const { kube, run, signal, taken } = saving;
  const ref = { namespace: metadata.namespace, name: `slipway-backup-${metadata.uid}-${run}` };
  signal.throwIfAborted();
  taken.push(ref);
  await kube.create(snapshotType, {
    ...{ apiVersion: snapshotApi, kind: 'VolumeSnapshot', metadata: ref },
    spec: {
      volumeSnapshotClassName: snapshotClass.metadata.name,
      source: { persistentVolumeClaimName: metadata.name },
    },
  });
  const content = await contentOf(saving, ref);
  // The snapshot outlives its namespace and its cluster's objects: the backup names it.
  await kube.patch(contentType, { name: content.name }, { spec: { deletionPolicy: 'Retain' } });
  return { driver: snapshotClass.driver, handle: content.handle };
}

async function contentOf({ kube, signal }: Saving, ref: NamespacedRef) {
  let content = { name: '', handle: '' };
  await waitUntil(
    async () => {
      signal.throwIfAborted();
      const { status } = (await kube.get(snapshotType, ref)) ?? {};
      if (!status?.readyToUse) return false;
      const name = status.boundVolumeSnapshotContentName ?? '-';
      const found = await kube.get(contentType, { name });
      content = { name, handle: found?.status?.snapshotHandle ?? '' };
      return content.handle !== '';
    },
    snapshotLimitMs,
    `The VolumeSnapshot ${ref.namespace}/${ref.name} is not ready: kubectl -n ${ref.namespace} describe volumesnapshot ${ref.name}`,
  );
  return content;
}

/** Whether this cluster can restore a volume from a snapshot of `driver`. */
export async function canRestore(kube: Kube): Promise<(volume: SavedVolume) => boolean> {
  const drivers = new Set((await snapshotClasses(kube)).map(({ driver }) => driver));
  return ({ driver }) => drivers.has(driver);
}

/** Creates the claim of a restored network, filled from its snapshot. */
export async function restoreVolume(
  kube: Kube,
  { driver, handle, claim }: SavedVolume,
  renames: Renames,
): Promise<void> {
  const restored = renames.apply(claim);
  const { name, namespace } = restored.metadata;
  const content = `slipway-restore-${namespace}-${name}`;
  await createOnce(kube, contentType, {
    ...{ apiVersion: snapshotApi, kind: 'VolumeSnapshotContent', metadata: { name: content } },
    spec: {
      ...{ deletionPolicy: 'Retain', driver, source: { snapshotHandle: handle } },
      volumeSnapshotRef: { kind: 'VolumeSnapshot', name, namespace },
    },
  });
  await createOnce(kube, snapshotType, {
    ...{ apiVersion: snapshotApi, kind: 'VolumeSnapshot', metadata: { name, namespace } },
    spec: { source: { volumeSnapshotContentName: content } },
  });
  const dataSource = { apiGroup: snapshots.group, kind: 'VolumeSnapshot', name };
  await createOnce(kube, persistentVolumeClaimType, { ...restored, spec: { ...restored.spec, dataSource } });
}

/** Empty where the cluster has no volume snapshots at all. */
async function snapshotClasses(kube: Kube): Promise<SnapshotClass[]> {
  try {
    return (await kube.list(classType)).items;
  } catch (error) {
    if (isAppError(error, 'NotFound')) return [];
    throw error;
  }
}

/** An object that an interrupted run created already is left as it is. */
async function createOnce<T extends KubeObject>(kube: Kube, type: ResourceType<T>, object: T): Promise<void> {
  if (await kube.get(type, object.metadata)) return;
  await kube.create(type, object);
}

function bare({ metadata, spec }: Stored<PersistentVolumeClaim>): PersistentVolumeClaim {
  const { name, namespace, labels: given, ownerReferences } = metadata;
  const { volumeName: _, dataSource: __, dataSourceRef: ___, ...kept } = spec;
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: {
      name,
      namespace,
      ...(given ? { labels: given } : {}),
      ...(ownerReferences ? { ownerReferences } : {}),
    },
    spec: kept,
  };
}
