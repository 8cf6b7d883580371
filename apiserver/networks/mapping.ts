import { apiVersion, labels } from '../../core/api/names.ts';
import type { NetworkResource, NetworkSpec } from '../../core/api/resources/network.ts';
import type { UserLabels } from '../../core/api/userLabels.ts';
import type { Principal } from '../http/auth/principal.ts';

/** The Network custom resource for a new network of the caller. */
export function toNewResource(
  { name, spec, labels: given }: { name: string; spec: NetworkSpec; labels: UserLabels | undefined },
  principal: Principal,
): NetworkResource {
  return {
    apiVersion,
    kind: 'Network',
    metadata: {
      name,
      namespace: principal.namespace,
      labels: { ...given, [labels.owner]: principal.userId, [labels.workspace]: principal.workspaceId },
    },
    spec,
  };
}
