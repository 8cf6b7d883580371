import type { EventEnvelope } from '../../core/api/events/envelope.ts';
import type { StreamEventType } from '../../core/api/events/eventTypes.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworksByName } from '../../core/api/views/networksByName.ts';
import { toNetwork } from '../../core/api/views/networkView.ts';
import { toRecording } from '../../core/api/views/recordingView.ts';
import { toSecret } from '../../core/api/views/secretView.ts';
import { toSnapshot } from '../../core/api/views/snapshotView.ts';
import { toToken } from '../../core/api/views/tokenView.ts';
import { createdAtOf, eventIdOf } from '../../core/events/eventId.ts';
import type { ObjectEvent } from '../../core/events/objectEvent.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { toSubmission } from '../../core/outbox/records.ts';
import type { EndpointsOf } from '../networks/endpoints.ts';
import type { LoggedEvent } from './log/segment.ts';

/** Who reads: events are rendered once for all readers of a workspace that see the same. */
export interface Reader {
  workspaceId: string;
  /** Whether it sees the URLs that change chains by hand. */
  isWriter: boolean;
}

export interface Renderer {
  /** The field `data` of an event, as a line. */
  data(event: LoggedEvent, reader: Reader): string;
  /** Of an event of the stream itself. */
  control(type: StreamEventType, id: string, reader: Reader): string;
}

export interface RenderDeps {
  /** Makes the ids of events. */
  idKey: Uint8Array;
  endpointsOf: EndpointsOf;
  networks: NetworksByName;
  nowMs(): number;
}

/** Renders events in the form in which lists return their objects to the reader. */
export function createRenderer(deps: RenderDeps): Renderer {
  const line = (envelope: EventEnvelope) => `data: ${JSON.stringify(envelope)}\n`;
  const render = (event: LoggedEvent, reader: Reader): string =>
    line({
      id: eventIdOf(deps.idKey, event),
      type: event.type,
      createdAt: createdAtOf(event, event.at),
      workspace: reader.workspaceId,
      object: { ...objectOf(deps, event, reader) },
    });
  return {
    data(event, reader) {
      event.texts ??= new Map();
      const known = event.texts.get(classOf(reader));
      if (known !== undefined) return known;
      const text = render(event, reader);
      event.texts.set(classOf(reader), text);
      return text;
    },
    control: (type, id, { workspaceId }) =>
      line({ id, type, createdAt: toRfc3339(deps.nowMs()), workspace: workspaceId }),
  };
}

/** A workspace has a namespace of its own, so its id need not be part of the class. */
const classOf = ({ isWriter }: Reader) => (isWriter ? 'writer' : 'reader');

function objectOf(
  { endpointsOf, networks }: RenderDeps,
  { resource, transaction }: ObjectEvent,
  { workspaceId, isWriter }: Reader,
): object {
  if (transaction) return toSubmission(transaction);
  if (resource.kind === 'Network') return networkOf(resource, { workspaceId, isWriter }, endpointsOf);
  if (resource.kind === 'Token') return toToken(resource, networks);
  if (resource.kind === 'Recording') return toRecording(resource, networks);
  if (resource.kind === 'Snapshot') return toSnapshot(resource, workspaceId);
  return resource.kind === 'Secret' ? toSecret(resource, workspaceId) : {};
}

function networkOf(
  network: Stored<NetworkResource>,
  { workspaceId, isWriter }: Reader,
  endpointsOf: EndpointsOf,
): object {
  return toNetwork(network, { workspaceId, endpoints: endpointsOf(network, isWriter) });
}
