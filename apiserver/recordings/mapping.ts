import { apiVersion, labels } from '../../core/api/names.ts';
import type { RecordedHead, RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { UserLabels } from '../../core/api/userLabels.ts';
import type { Principal } from '../http/auth/principal.ts';

interface NewRecording {
  name: string;
  userAddress: string;
  networks: string[];
  /** Where the chains are; none for networks whose nodes do not answer. */
  start: RecordedHead[];
  labels: UserLabels | undefined;
}

/** The Recording custom resource for a new recording of the caller. */
export function toNewResource(
  { name, userAddress, networks, start, labels: given }: NewRecording,
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
    spec: { userAddress, networks, ...(start.length > 0 ? { start } : {}) },
  };
}
