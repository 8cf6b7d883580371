import { apiVersion, labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import type { UserLabels } from '../../core/api/userLabels.ts';
import type { Stored } from '../../core/kube/kube.ts';
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
