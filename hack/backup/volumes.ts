import { randomBytes } from 'node:crypto';
import type { KubeObject, NamespacedMeta, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import { type PersistentVolumeClaim, persistentVolumeClaimType } from '../../core/kube/types.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { engineIncarnationOf, isOfIncarnation } from '../../operator/network/render/childNames.ts';
import { waitUntil } from '../lib/wait.ts';
import type { SavedVolume } from './contents.ts';
import { type AnyObject, isNetwork, kindOf } from './kinds.ts';
import { canMove } from './networks.ts';

const apiGroup = 'snapshot.storage.k8s.io';
const apiVersion = `${apiGroup}/v1`;

/** What is read of the objects of a cluster's storage. */
interface StorageObject extends KubeObject {
  spec?: object;
  driver?: string;
  provisioner?: string;
  status?: { readyToUse?: boolean; boundVolumeSnapshotContentName?: string; snapshotHandle?: string };
}

const snapshotType = kindOf<StorageObject>(apiVersion, 'VolumeSnapshot');
const contentType = kindOf<StorageObject>(apiVersion, 'VolumeSnapshotContent', false);
const classType = kindOf<StorageObject>(apiVersion, 'VolumeSnapshotClass', false);
const storageType = kindOf<StorageObject>('storage.k8s.io/v1', 'StorageClass', false);

interface Saving {
  kube: Kube;
  say(line: string): void;
  /** Ends the backup. */
  signal: AbortSignal;
  /** The snapshots that were begun. */
  taken: NamespacedMeta[];
}

export interface VolumeSaver {
  save(objects: readonly Stored<AnyObject>[]): Promise<SavedVolume[]>;
  /** Removes the snapshots of a backup that did not come about, which no file names. */
  discard(): Promise<void>;
}

/** Takes a snapshot of each volume whose network can run on from it, where its driver has a VolumeSnapshotClass. */
export function createVolumeSaver(options: Omit<Saving, 'taken'>): VolumeSaver {
  const { kube, say } = options;
  const saving: Saving = { ...options, taken: [] };
  return {
    async save(objects) {
      const classes = await snapshotClasses(kube);
      const saved: SavedVolume[] = [];
      for (const network of objects.filter(isNetwork).filter(canMove)) {
        const claims = classes.size === 0 ? [] : await claimsOf(kube, network);
        // All volumes of a chain, or none.
        if (!claims.every(({ driver }) => classes.has(driver))) continue;
        for (const { claim, driver } of claims) {
          const handle = await takeSnapshot(saving, claim, classes.get(driver));
          say(`volume of network ${network.metadata.name}: snapshot of ${claim.metadata.name} taken`);
          saved.push({ driver, handle, network: network.metadata.uid, claim: bare(claim) });
        }
      }
      return saved;
    },
    async discard() {
      for (const ref of saving.taken) {
        await removeSnapshot(kube, ref).catch((error: unknown) => {
          const command = `kubectl -n ${ref.namespace} delete volumesnapshot ${ref.name}`;
          say(`A snapshot of this backup is left, which nothing needs: ${command} (${String(error)})`);
        });
      }
    },
  };
}

/** The volumes of a network's chain, each with the driver of its storage. */
async function claimsOf(kube: Kube, network: Stored<NetworkResource>) {
  const { items } = await kube.list(persistentVolumeClaimType, { namespace: network.metadata.namespace });
  const incarnation = engineIncarnationOf(network);
  const claims = items.filter(ownedBy(network)).filter((claim) => isOfIncarnation(claim, incarnation));
  const driverOf = async ({ spec }: PersistentVolumeClaim) =>
    (await kube.get(storageType, { name: spec.storageClassName ?? '-' }))?.provisioner ?? '';
  return Promise.all(claims.map(async (claim) => ({ claim, driver: await driverOf(claim) })));
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
  const remedy = `kubectl -n ${namespace} describe volumesnapshot ${ref.name}`;
  let content: Stored<StorageObject> | undefined;
  signal.throwIfAborted();
  taken.push(ref);
  await kube.create(snapshotType, { apiVersion, kind: snapshotType.kind, metadata: ref, spec });
  const isReady = async () => {
    signal.throwIfAborted();
    const { status } = (await kube.get(snapshotType, ref)) ?? {};
    content = status?.readyToUse ? await contentOf(kube, status) : undefined;
    return content?.status?.snapshotHandle !== undefined;
  };
  await waitUntil(isReady, 10 * 60_000, `The VolumeSnapshot ${ref.name} is not ready: ${remedy}`);
  // The snapshot outlives its namespace and its cluster's objects: the backup names it.
  if (content) await kube.patch(contentType, content.metadata, { spec: { deletionPolicy: 'Retain' } });
  return content?.status?.snapshotHandle ?? '';
}

async function contentOf(kube: Kube, status: StorageObject['status']) {
  const name = status?.boundVolumeSnapshotContentName;
  return name === undefined ? undefined : kube.get(contentType, { name });
}

async function removeSnapshot(kube: Kube, ref: NamespacedMeta): Promise<void> {
  const content = await contentOf(kube, (await kube.get(snapshotType, ref))?.status);
  // Else the storage keeps the data.
  if (content) await kube.patch(contentType, content.metadata, { spec: { deletionPolicy: 'Delete' } });
  await kube.delete(snapshotType, ref);
}

/** The claim without what the cluster set. */
function bare({ metadata, spec }: Stored<PersistentVolumeClaim>): PersistentVolumeClaim {
  const { name, namespace, labels, ownerReferences } = metadata;
  const { volumeName: _, dataSource: __, dataSourceRef: ___, ...source } = spec;
  const kept = { name, namespace, ...compact({ labels, ownerReferences }) };
  return { apiVersion: 'v1', kind: persistentVolumeClaimType.kind, metadata: kept, spec: source };
}

/** Those that this cluster has drivers for. A network runs on from all of its volumes or from none. */
export async function restorableVolumes(kube: Kube, volumes: readonly SavedVolume[]): Promise<SavedVolume[]> {
  const drivers = await snapshotClasses(kube);
  const lost = new Set(volumes.filter(({ driver }) => !drivers.has(driver)).map(({ network }) => network));
  return volumes.filter(({ network }) => !lost.has(network));
}

/** The claim of a restored network under its former name, and the snapshot that fills it. */
export function volumeObjects({ driver, handle, claim }: SavedVolume): AnyObject[] {
  const { name, namespace } = claim.metadata;
  const content = `slipway-restore-${namespace}-${name}`;
  const volumeSnapshotRef = { kind: snapshotType.kind, name, namespace };
  const source = { snapshotHandle: handle };
  const spec = { deletionPolicy: 'Retain', driver, source, volumeSnapshotRef };
  const dataSource = { apiGroup, kind: snapshotType.kind, name };
  return [
    { apiVersion, kind: contentType.kind, metadata: { name: content }, spec },
    {
      apiVersion,
      kind: snapshotType.kind,
      metadata: { name, namespace },
      spec: { source: { volumeSnapshotContentName: content } },
    },
    { ...claim, spec: { ...claim.spec, dataSource } },
  ];
}

/** The name of a class by its driver; none where the cluster has no volume snapshots at all. */
async function snapshotClasses(kube: Kube): Promise<ReadonlyMap<string, string>> {
  try {
    const { items } = await kube.list(classType);
    return new Map(items.map(({ driver = '', metadata }) => [driver, metadata.name]));
  } catch (error) {
    if (isAppError(error, 'NotFound')) return new Map();
    throw error;
  }
}
