import { compact } from '../../lib/compact.ts';
import { hasId, idOf } from '../ids.ts';
import type { Stored } from '../resources/kubeObject.ts';
import type { NetworkResource } from '../resources/network.ts';
import type { Snapshot, SnapshotResource } from '../resources/snapshot.ts';
import { ownerOf, readMetaField, toObjectMeta } from './objectMeta.ts';

/** The Snapshot of REST. Until the operator has seen the resource, its state is Pending. */
export function toSnapshot(resource: Stored<SnapshotResource>, workspaceId: string): Snapshot {
  return {
    kind: 'Snapshot',
    version: 'v1alpha',
    id: idOf(resource),
    name: resource.metadata.name,
    ...compact({ ownerID: ownerOf(resource) }),
    metadata: toObjectMeta(resource, { workspaceId, updatedAt: resource.status?.takenAt }),
    spec: resource.spec,
    status: { ...resource.status, state: stateOf(resource) },
  };
}

/** A selectable field as text. */
export function readSnapshotField(resource: Stored<SnapshotResource>, field: string): string | undefined {
  if (field === 'status.state') return stateOf(resource);
  return field === 'spec.network' ? resource.spec.network : readMetaField(resource, field);
}

/** Whether a snapshot is of this network; one that is not taken yet, if it names it. */
export function isOfNetwork(
  { metadata, spec, status }: Stored<SnapshotResource>,
  network: Stored<NetworkResource>,
): boolean {
  if (status?.networkID !== undefined) return hasId(network, status.networkID);
  return metadata.namespace === network.metadata.namespace && spec.network === network.metadata.name;
}

/** The object for the audit line. */
export function describeSnapshot(resource: Stored<SnapshotResource>): string {
  return `snapshot ${resource.metadata.name} (${idOf(resource)})`;
}

function stateOf({ status }: Stored<SnapshotResource>) {
  return status?.state ?? 'Pending';
}
