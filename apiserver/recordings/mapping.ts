import { apiVersion, labels } from '../../core/api/names.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { UserLabels } from '../../core/api/userLabels.ts';
import type { Principal } from '../http/auth/principal.ts';

interface NewRecording {
  name: string;
  userAddress: string;
  networks: string[];
  labels: UserLabels | undefined;
}

/** The Recording custom resource for a new recording of the caller. */
export function toNewResource(
  { name, userAddress, networks, labels: given }: NewRecording,
  principal: Principal,
): RecordingResource {
  return {
    apiVersion,
    kind: 'Recording',
    metadata: {
      name,
      namespace: principal.namespace,
      labels: { ...given, [labels.owner]: principal.userId, [labels.workspace]: principal.workspaceId },
    },
    spec: { userAddress, networks },
  };
}
