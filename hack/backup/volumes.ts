import { randomBytes } from 'node:crypto';
import {
  type KubeObject,
  type NamespacedMeta,
  resourceType,
  type Stored,
} from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import { type PersistentVolumeClaim, persistentVolumeClaimType } from '../../core/kube/types.ts';
import {
  engineIncarnationOf,
  isOfIncarnation,
  isOfPlugin,
} from '../../operator/network/render/childNames.ts';
import { waitUntil } from '../lib/wait.ts';
import { type AnyObject, isServed } from './objects.ts';

const apiGroup = 'snapshot.storage.k8s.io';
const apiVersion = `${apiGroup}/v1`;

/** What is read of the objects of a cluster's storage. */
interface StorageObject extends KubeObject {
  spec?: object;
  driver?: string;
  provisioner?: string;
  status?: { readyToUse?: boolean; boundVolumeSnapshotContentName?: string; snapshotHandle?: string };
}

const snapshotType = resourceType<StorageObject>(apiVersion, 'VolumeSnapshot');
const contentType = resourceType<StorageObject>(apiVersion, 'VolumeSnapshotContent', false);
const classType = resourceType<StorageObject>(apiVersion, 'VolumeSnapshotClass', false);
const storageType = resourceType<StorageObject>('storage.k8s.io/v1', 'StorageClass', false);

/** The volume of a network, in a snapshot that its storage keeps. */
export interface SavedVolume {
  /** uid of the network. */
  network: string;
  driver: string;
  /** The claim under its former name, and the snapshot that fills it. */
  objects: AnyObject[];
}

export interface Saving {
  kube: Kube;
  say(line: string): void;
  /** Ends the backup. */
  signal: AbortSignal;
  /** The snapshots that were begun. */
  taken: NamespacedMeta[];
}

/** Takes a snapshot of each volume whose network can run on from it, where its driver has a VolumeSnapshotClass. */
export async function saveVolumes(
  saving: Saving,
  networks: Stored<NetworkResource>[],
): Promise<SavedVolume[]> {
  const classes = await snapshotClasses(saving.kube);
  const provisioners = await provisionersIn(saving.kube);
  const saved: SavedVolume[] = [];
  for (const network of networks.filter(({ status }) => status?.storage === 'Volume')) {
    const { namespace } = network.metadata;
    const { items } = await saving.kube.list(persistentVolumeClaimType, { namespace });
    const claims = items
      .filter(ownedBy(network))
      .filter(ofChain(network))
      .map((claim) => {
        return { claim, driver: provisioners.get(claim.spec.storageClassName ?? '') ?? '' };
      });
    // All volumes of a chain, or none.
    if (!claims.every(({ driver }) => classes.has(driver))) continue;
    for (const { claim, driver } of claims) {
      const handle = await takeSnapshot(saving, claim, classes.get(driver));
      saving.say(`volume of network ${network.metadata.name}: snapshot of ${claim.metadata.name} taken`);
      saved.push({ network: network.metadata.uid, driver, objects: objectsFor(claim, driver, handle) });
    }
  }
  return saved;
}

/** Whether a claim has the name of a volume of the network's chain. */
export function ofChain(network: Stored<NetworkResource>): (claim: PersistentVolumeClaim) => boolean {
  const { namespace } = network.metadata;
  const incarnation = engineIncarnationOf(network);
  return (claim) => claim.metadata.namespace === namespace && isOfIncarnation(claim, incarnation);
}

/** Whether all volumes are there that the status of a network names: those of plugins are made again. */
export function isWholeChain(
  { status }: Stored<NetworkResource>,
  claims: readonly PersistentVolumeClaim[],
): boolean {
  const { volume = '', copies } = status?.incarnation ?? {};
  const count = copies ? Object.keys(copies).length : volume.split(' ').length;
  return status?.storage === 'Volume' && claims.filter((one) => !isOfPlugin(one)).length >= count;
}

/** The claims that a restore can take over: nobody deletes them, and no object that is gone owns them. */
export async function freeClaims(kube: Kube, uids: ReadonlySet<string>) {
  const { items } = await kube.list(persistentVolumeClaimType);
  return items.filter(({ metadata: { deletionTimestamp, ownerReferences = [] } }) => {
    return deletionTimestamp === undefined && ownerReferences.every(({ uid }) => uids.has(uid));
  });
}

/** The driver of each class of storage. */
async function provisionersIn(kube: Kube): Promise<ReadonlyMap<string, string>> {
  const { items } = await kube.list(storageType);
  return new Map(items.map(({ metadata, provisioner = '' }) => [metadata.name, provisioner]));
}

/** Returns what the storage calls the snapshot. */
async function takeSnapshot(
  { kube, signal, taken }: Saving,
  { metadata: { namespace, name, uid } }: Stored<PersistentVolumeClaim>,
  volumeSnapshotClassName: string | undefined,
): Promise<string> {
  // A snapshot of an earlier backup has the data of that time.
  const ref = { namespace, name: `slipway-backup-${uid}-${randomBytes(4).toString('hex')}` };
  const spec = { volumeSnapshotClassName, source: { persistentVolumeClaimName: name } };
  let content: Stored<StorageObject> | undefined;
  const isReady = async () => {
    signal.throwIfAborted();
    content = await contentOf(kube, ref);
    return content?.status?.readyToUse === true;
  };
  taken.push(ref);
  await kube.create(snapshotType, { apiVersion, kind: snapshotType.kind, metadata: ref, spec });
  const remedy = `kubectl -n ${namespace} describe volumesnapshot ${ref.name}`;
  await waitUntil(isReady, 10 * 60_000, `The VolumeSnapshot ${ref.name} is not ready: ${remedy}`);
  // The snapshot outlives its namespace and its cluster's objects: the backup names it.
  if (content) await kube.patch(contentType, content.metadata, { spec: { deletionPolicy: 'Retain' } });
  return content?.status?.snapshotHandle ?? '';
}

async function contentOf(kube: Kube, ref: NamespacedMeta) {
  const name = (await kube.get(snapshotType, ref))?.status?.boundVolumeSnapshotContentName;
  return name === undefined ? undefined : kube.get(contentType, { name });
}

/** Removes the snapshots of a backup that did not come about, which no file names. */
export async function discardSnapshots({ kube, say, taken }: Omit<Saving, 'signal'>): Promise<void> {
  for (const ref of taken) {
    try {
      const content = await contentOf(kube, ref);
      // Else the storage keeps the data.
      if (content) await kube.patch(contentType, content.metadata, { spec: { deletionPolicy: 'Delete' } });
      await kube.delete(snapshotType, ref);
    } catch (error) {
      const command = `kubectl -n ${ref.namespace} delete volumesnapshot ${ref.name}`;
      say(`A snapshot of this backup is left, which nothing needs: ${command} (${String(error)})`);
    }
  }
}

/** What a restore creates for a claim. */
function objectsFor({ metadata, spec }: PersistentVolumeClaim, driver: string, handle: string): AnyObject[] {
  const { name, namespace, labels = {}, ownerReferences = [] } = metadata;
  const { volumeName: _, dataSource: __, dataSourceRef: ___, ...source } = spec;
  const dataSource = { apiGroup, kind: snapshotType.kind, name };
  const content = { name: `slipway-restore-${namespace}-${name}` };
  const volumeSnapshotRef = { kind: snapshotType.kind, name, namespace };
  const kept = { deletionPolicy: 'Retain', driver, source: { snapshotHandle: handle }, volumeSnapshotRef };
  const filled = { source: { volumeSnapshotContentName: content.name } };
  return [
    { apiVersion, kind: contentType.kind, metadata: content, spec: kept },
    { apiVersion, kind: snapshotType.kind, metadata: { name, namespace }, spec: filled },
    {
      apiVersion: 'v1',
      kind: persistentVolumeClaimType.kind,
      metadata: { name, namespace, labels, ownerReferences },
      spec: { ...source, dataSource },
    },
  ];
}

/** The name of a class by its driver; none where the cluster has no volume snapshots at all. */
export async function snapshotClasses(kube: Kube): Promise<ReadonlyMap<string, string>> {
  if (!(await isServed(kube, classType))) return new Map();
  const { items } = await kube.list(classType);
  return new Map(items.map(({ driver = '', metadata }) => [driver, metadata.name]));
}
