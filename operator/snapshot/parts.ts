import { idOf } from '../../core/api/ids.ts';
import { labels } from '../../core/api/names.ts';
import { controllerReferenceTo } from '../../core/api/resources/kubeObject.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import { type ConfigMap, configMapType } from '../../core/kube/types.ts';
import { partFileOf, partNamesOf } from '../../core/networks/snapshotParts.ts';
import type { Dump } from './dump.ts';

/** In base64 and with its metadata, a part stays below the 1.5 MB that etcd accepts per value. */
export const partBytes = 768 * 1024;

export type PartKube = Pick<Kube, 'list' | 'create' | 'delete'>;

/**
 * Stores a snapshot in ConfigMaps, which pods mount, and returns how many. Kubernetes deletes them with the snapshot.
 * What an interrupted attempt left is deleted first.
 */
export async function storeParts(
  kube: PartKube,
  snapshot: Stored<SnapshotResource>,
  { bytes, digest }: Pick<Dump, 'bytes' | 'digest'>,
): Promise<number> {
  await removeParts(kube, snapshot);
  const parts = Math.ceil(bytes.length / partBytes);
  const names = partNamesOf({ id: idOf(snapshot), digest, parts });
  for (const [index, name] of names.entries()) {
    const data = bytes.subarray(index * partBytes, (index + 1) * partBytes).toString('base64');
    await kube.create(configMapType, renderPart(snapshot, name, { [partFileOf(index)]: data }));
  }
  return parts;
}

async function removeParts(kube: PartKube, snapshot: Stored<SnapshotResource>): Promise<void> {
  const { namespace } = snapshot.metadata;
  const labelSelector = `${labels.snapshot}=${idOf(snapshot)}`;
  const { items } = await kube.list(configMapType, { namespace, labelSelector, isMetadataOnly: true });
  for (const part of items.filter(ownedBy(snapshot)))
    await kube.delete(configMapType, part.metadata, { uid: part.metadata.uid });
}

function renderPart(
  snapshot: Stored<SnapshotResource>,
  name: string,
  binaryData: Record<string, string>,
): ConfigMap {
  const { namespace } = snapshot.metadata;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'slipway', [labels.snapshot]: idOf(snapshot) },
      ownerReferences: [controllerReferenceTo(snapshot)],
    },
    immutable: true,
    binaryData,
  };
}
