import { compact } from '../../lib/compact.ts';
import { idOf } from '../ids.ts';
import type { Stored } from '../resources/kubeObject.ts';
import type { RecordedProgress, RecordingResource } from '../resources/recordingResource.ts';
import type { Recording, RecordingState } from '../rest/recording.ts';
import { labelMetaOf } from '../userLabels.ts';
import { idOfNamed, type NetworksByName } from './networksByName.ts';

/** The Recording of REST, without its data. */
export function toRecording(resource: Stored<RecordingResource>, networks: NetworksByName): Recording {
  const { metadata, spec, status } = resource;
  const { creationTimestamp } = metadata;
  const start = status?.startedAt ?? creationTimestamp;
  return {
    kind: 'Recording',
    version: 'v1alpha1',
    id: idOf(resource),
    name: metadata.name,
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
export function networkIdsOf(resource: Stored<RecordingResource>, networks: NetworksByName): string[] {
  return resource.spec.networks.map((name) => networkIdOf(resource, name, networks));
}

export function stateOf({ status }: Stored<RecordingResource>): RecordingState {
  return status?.state ?? 'recording';
}

/** The object for the audit line. */
export function describeRecording(resource: Stored<RecordingResource>): string {
  return `recording ${resource.metadata.name} (${idOf(resource)})`;
}

function progressOf({ status }: Stored<RecordingResource>, name: string): RecordedProgress | undefined {
  return status?.networks?.find(({ network }) => network === name);
}

function networkIdOf(resource: Stored<RecordingResource>, name: string, networks: NetworksByName): string {
  const { namespace } = resource.metadata;
  const recorded = progressOf(resource, name)?.networkID;
  return recorded ?? idOfNamed(networks, namespace, name);
}

function toProgress(resource: Stored<RecordingResource>, name: string, networks: NetworksByName) {
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
