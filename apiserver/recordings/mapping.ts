import { apiVersion, labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedProgress, RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { Recording, RecordingState } from '../../core/api/rest/recording.ts';
import { labelMetaOf, type UserLabels } from '../../core/api/userLabels.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { ObjectCache } from '../store/cache.ts';

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

type Networks = Pick<ObjectCache<NetworkResource>, 'byName'>;

/** The Recording of REST, without its data. */
export function toRecording(resource: Stored<RecordingResource>, networks: Networks): Recording {
  const { metadata, spec, status } = resource;
  const { creationTimestamp } = metadata;
  const start = status?.startedAt ?? creationTimestamp;
  return {
    kind: 'Recording',
    version: 'v1alpha1',
    id: idOf(resource),
    user_address: spec.userAddress,
    network_ids: networkIdsOf(resource, networks),
    ...compact({ start_timestamp: start, end_timestamp: status?.endedAt }),
    state: stateOf(resource),
    ...compact({ message: status?.message }),
    networks: spec.networks.map((name) => toProgress(resource, name, networks)),
    ...labelMetaOf(resource),
    created_at: creationTimestamp,
  };
}

/** Ids of its networks; the name if a network does not exist (yet). */
export function networkIdsOf(resource: Stored<RecordingResource>, networks: Networks): string[] {
  return resource.spec.networks.map((name) => networkIdOf(resource, name, networks));
}

export function stateOf({ status }: Stored<RecordingResource>): RecordingState {
  return status?.state ?? 'recording';
}

export function idOf({ metadata }: Stored<RecordingResource>): string {
  return metadata.uid;
}

/** The object for the audit line. */
export function describeRecording(resource: Stored<RecordingResource>): string {
  return `recording ${resource.metadata.name} (${idOf(resource)})`;
}

function progressOf({ status }: Stored<RecordingResource>, name: string): RecordedProgress | undefined {
  return status?.networks?.find(({ network }) => network === name);
}

function networkIdOf(resource: Stored<RecordingResource>, name: string, networks: Networks): string {
  const { namespace } = resource.metadata;
  const recorded = progressOf(resource, name)?.networkID;
  return recorded ?? networks.byName(namespace, name)?.metadata.uid ?? name;
}

function toProgress(resource: Stored<RecordingResource>, name: string, networks: Networks) {
  const progress = progressOf(resource, name);
  const { firstBlock, lastBlock, transactions = 0, message, state = 'waiting' } = progress ?? {};
  return {
    network_id: networkIdOf(resource, name, networks),
    state,
    ...compact({ first_block: firstBlock, last_block: lastBlock }),
    transactions,
    ...compact({ message }),
  };
}
