import type { EventEnvelope } from '../api/events/envelope.ts';
import type { NetworkResource } from '../api/resources/network.ts';
import type { NetworksByName } from '../api/views/networksByName.ts';
import { toNetwork } from '../api/views/networkView.ts';
import { toRecording } from '../api/views/recordingView.ts';
import { toSecret } from '../api/views/secretView.ts';
import { toSnapshot } from '../api/views/snapshotView.ts';
import { toToken } from '../api/views/tokenView.ts';
import type { Stored } from '../kube/kube.ts';
import { toSubmission } from '../outbox/records.ts';
import { createdAtOf, eventIdOf } from './eventId.ts';
import type { LoggedEvent } from './log/segment.ts';
import type { ObjectEvent } from './objectEvent.ts';

/** Who reads: events are rendered once for all readers of a workspace that see the same. */
export interface Reader {
  workspaceId: string;
  /** Readers of the same class see the same. A workspace has a namespace of its own, so its id is not part of it. */
  class: string;
  /** The URLs of a network that it sees, which may have access keys; it sees none when this is absent. */
  endpointsOf?(network: Stored<NetworkResource>): Record<string, string> | undefined;
}

export interface RenderDeps {
  /** Makes the ids of events. */
  eventKey: Uint8Array;
  networks: NetworksByName;
}

/** An event as streams and webhooks deliver it, as JSON: its object has the form in which lists return it to the reader. */
export function renderEvent(deps: RenderDeps, event: LoggedEvent, reader: Reader): string {
  event.texts ??= new Map();
  const known = event.texts.get(reader.class);
  if (known !== undefined) return known;
  const envelope: EventEnvelope = {
    id: eventIdOf(deps.eventKey, event),
    type: event.type,
    createdAt: createdAtOf(event, event.at),
    workspace: reader.workspaceId,
    object: { ...objectOf(deps, event, reader) },
  };
  const text = JSON.stringify(envelope);
  event.texts.set(reader.class, text);
  return text;
}

function objectOf({ networks }: RenderDeps, { resource, transaction }: ObjectEvent, reader: Reader): object {
  const { workspaceId } = reader;
  if (transaction) return toSubmission(transaction);
  if (resource.kind === 'Network') return networkOf(resource, reader);
  if (resource.kind === 'Token') return toToken(resource, networks);
  if (resource.kind === 'Recording') return toRecording(resource, networks);
  if (resource.kind === 'Snapshot') return toSnapshot(resource, workspaceId);
  return resource.kind === 'Secret' ? toSecret(resource, workspaceId) : {};
}

function networkOf(network: Stored<NetworkResource>, { workspaceId, endpointsOf }: Reader): object {
  if (endpointsOf) return toNetwork(network, { workspaceId, endpoints: endpointsOf(network) });
  const shown = toNetwork(network, { workspaceId, endpoints: undefined });
  const { endpoints: _, ...status } = shown.status ?? {};
  return { ...shown, status };
}
