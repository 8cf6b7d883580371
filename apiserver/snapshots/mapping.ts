import { apiVersion, labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Snapshot, SnapshotResource } from '../../core/api/resources/snapshot.ts';
import { readLabel, type UserLabels, userLabelsIn } from '../../core/api/userLabels.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Principal } from '../http/auth/principal.ts';

interface NewSnapshot {
  name: string;
  network: Stored<NetworkResource>;
  labels: UserLabels | undefined;
}

/** The Snapshot custom resource for a new snapshot of the caller. */
export function toNewResource(
  { name, network, labels: given }: NewSnapshot,
  principal: Principal,
): SnapshotResource {
  return {
    apiVersion,
    kind: 'Snapshot',
    metadata: {
      name,
      namespace: principal.namespace,
      labels: { ...given, [labels.owner]: principal.userId, [labels.workspace]: principal.workspaceId },
    },
    spec: { network: network.metadata.name },
  };
}

/** The Snapshot of REST. Until the operator has seen the resource, its state is Pending. */
export function toSnapshot(resource: Stored<SnapshotResource>, workspaceId: string): Snapshot {
  const { name, creationTimestamp, generation = 0 } = resource.metadata;
  const ownerID = ownerOf(resource);
  return {
    kind: 'Snapshot',
    version: 'v1alpha',
    id: idOf(resource),
    name,
    ...compact({ ownerID }),
    metadata: {
      name,
      rev: generation,
      createdAt: creationTimestamp,
      updatedAt: resource.status?.takenAt ?? creationTimestamp,
      ...compact({ ownerID }),
      workspace: workspaceId,
      ...userLabelsIn(resource),
    },
    spec: resource.spec,
    status: { ...resource.status, state: stateOf(resource) },
  };
}

/** A selectable field as text. */
export function readSnapshotField(resource: Stored<SnapshotResource>, field: string): string | undefined {
  if (field === 'status.state') return stateOf(resource);
  if (field === 'spec.network') return resource.spec.network;
  if (field === 'metadata.name') return resource.metadata.name;
  return field === 'metadata.ownerID' ? ownerOf(resource) : readLabel(resource, field);
}

/** Whether a snapshot is of this network; one that is not taken yet, if it names it. */
export function isOfNetwork(
  { metadata, spec, status }: Stored<SnapshotResource>,
  network: Stored<NetworkResource>,
): boolean {
  if (status?.networkID !== undefined) return status.networkID === network.metadata.uid;
  return metadata.namespace === network.metadata.namespace && spec.network === network.metadata.name;
}

export function idOf({ metadata }: Stored<SnapshotResource>): string {
  return metadata.uid;
}

/** The object for the audit line. */
export function describeSnapshot(resource: Stored<SnapshotResource>): string {
  return `snapshot ${resource.metadata.name} (${idOf(resource)})`;
}

function stateOf({ status }: Stored<SnapshotResource>) {
  return status?.state ?? 'Pending';
}

function ownerOf({ metadata }: Stored<SnapshotResource>): string | undefined {
  return metadata.labels?.[labels.owner];
}
