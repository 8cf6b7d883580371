import {
  type EventKindName,
  eventKinds,
  isKnownPattern,
  kindOfEvent,
  readPermissionsOf,
  typesOf,
} from '../../core/api/events/eventTypes.ts';
import { idOf } from '../../core/api/ids.ts';
import { labels } from '../../core/api/names.ts';
import { operations } from '../../core/api/operations/operations.ts';
import { readLabel } from '../../core/api/userLabels.ts';
import type { ObjectEvent } from '../../core/events/objectEvent.ts';
import type { LogName } from '../../core/events/watchedTypes.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';
import { matcherOf, parseSelector } from '../http/paging/selector.ts';

/** The logs by the kind of their events. */
const logOf = {
  network: 'networks',
  token: 'tokens',
  transaction: 'outboxes',
  recording: 'recordings',
  snapshot: 'snapshots',
  secret: 'secrets',
} as const satisfies Record<EventKindName, LogName>;

/** Whether a stream delivers an event. */
export type EventFilter = (event: ObjectEvent) => boolean;

interface Selection {
  filter: EventFilter;
  /** The logs that have what it lets through. */
  wanted: LogName[];
}

interface FilterQuery {
  types?: string | undefined;
  selector?: string | undefined;
}

/**
 * What the caller asked for, of what it may read. Throws BadRequest for an unknown type or a malformed selector, and
 * Forbidden if it may read none of the types.
 */
export function createFilter(query: FilterQuery, { permissions }: Pick<Principal, 'permissions'>): Selection {
  const patterns = !query.types ? ['*'] : query.types.split(',').map((text) => text.trim());
  const unknown = patterns.filter((pattern) => !isKnownPattern(pattern));
  if (unknown.length > 0) throw unknownTypes(unknown);
  const asked = typesOf(patterns);
  const allowed = asked.filter(({ kind }) => permissions.has(eventKinds[kind].permission));
  if (allowed.length === 0) throw forbidden(readPermissionsOf(asked));
  const types = new Set<string>(allowed.map(({ type }) => type));
  const { selector } = query;
  const matches = matcherOf(selector ? parseSelector(selector, operations.streamEvents.selectable) : []);
  return {
    filter: (event) => types.has(event.type) && matches((field) => readField(event, field)),
    wanted: [...new Set(allowed.map(({ kind }) => logOf[kind]))],
  };
}

/** A selectable field as text. */
function readField({ type, resource, transaction }: ObjectEvent, field: string): string | undefined {
  const { metadata } = resource;
  if (field === 'id') return transaction?.hash ?? idOf(resource);
  if (field === 'network_id') {
    return transaction?.networkId ?? (kindOfEvent(type) === 'network' ? idOf(resource) : undefined);
  }
  if (field === 'metadata.ownerID') return transaction?.userId ?? metadata.labels?.[labels.owner];
  if (transaction) return undefined;
  return field === 'metadata.name' ? metadata.name : readLabel(resource, field);
}

function unknownTypes(unknown: readonly string[]): AppError {
  const quoted = unknown.map((pattern) => `"${pattern.slice(0, 64)}"`).join(', ');
  const message = `unknown: ${quoted}; use types such as network.operational, network.* or *, separated by commas`;
  return new AppError('BadRequest', `types: ${message}`, { details: [{ path: 'types', message }] });
}

function forbidden(needed: readonly string[]): AppError {
  return new AppError(
    'Forbidden',
    `the API key may read none of these events: they need ${needed.join(', ')}`,
  );
}
