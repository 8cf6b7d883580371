import type { Permission } from '../access/permissions.ts';

/** What can happen to the objects of one kind, and who may know it. */
interface EventKind {
  /** The member `kind` of the object in the event. */
  object: string;
  permission: Permission;
  /** The second part of the type, with what it means. */
  events: Readonly<Record<string, string>>;
}

const present = 'The object exists. Sent at the start of a stream, and after a gap.';

/** Every type of event. The first part of a type is the kind, the second one what happened. */
export const eventKinds = {
  network: {
    object: 'Network',
    permission: 'networks:read',
    events: {
      present,
      created: 'The network was created.',
      updated: 'Its spec or its labels changed.',
      pending: 'Its state became Pending.',
      operational: 'Its state became Operational: the next call succeeds.',
      stopping: 'Its state became Stopping.',
      stopped: 'Its state became Stopped.',
      error: 'Its state became Error; status.message says why.',
      step: 'status.execution changed: another step of its start, or its output.',
      status:
        'Its status changed otherwise: message, conditions, endpoints, plugins. The time of the last activity alone is not an event.',
      deleted: 'The network is gone. The object is its last version.',
    },
  },
  token: {
    object: 'Token',
    permission: 'tokens:read',
    events: {
      present,
      created: 'The token was created.',
      updated: 'Its spec or its labels changed, such as by another deployment.',
      pending: 'A deployment waits for its network.',
      deploying: 'A deployment began.',
      deployed: 'A deployment is complete: token_address is set.',
      lost: 'A deployment was lost, because its network was reset or deleted.',
      error: 'A deployment failed; its message says why.',
      status: 'The status of a deployment changed otherwise.',
      deleted: 'The record of the token is gone. The object is its last version.',
    },
  },
  transaction: {
    object: 'Submission',
    permission: 'transactions:read',
    events: {
      present: 'The transaction is open. Sent at the start of a stream, and after a gap.',
      submitted: 'The transaction was accepted: it is signed and stored.',
      broadcast: 'The node has the transaction, and has not mined it yet.',
      mined: 'The transaction is in a block and succeeded.',
      failed: 'The transaction is in a block and failed; message says why.',
      dropped: 'The transaction will not be mined; message says why.',
    },
  },
  recording: {
    object: 'Recording',
    permission: 'recordings:read',
    events: {
      present,
      created: 'The recording was created.',
      updated: 'Its labels changed, or it was asked to stop.',
      stopped: 'The recording is complete (state "recorded").',
      status: 'Its status changed otherwise, such as by another transaction.',
      deleted: 'The recording is gone. The object is its last version.',
    },
  },
  snapshot: {
    object: 'Snapshot',
    permission: 'networks:read',
    events: {
      present,
      created: 'The snapshot was requested.',
      updated: 'Its labels changed.',
      ready: 'The snapshot is stored completely.',
      failed: 'The snapshot will not be taken; status.message says why.',
      status: 'Its status changed otherwise.',
      deleted: 'The snapshot is gone. The object is its last version.',
    },
  },
  secret: {
    object: 'Secret',
    permission: 'secrets:read',
    events: {
      present,
      created: 'The secret was created. Events never have its data.',
      updated: 'The secret was replaced, or its labels changed.',
      deleted: 'The secret is gone. The object is its last version.',
    },
  },
} as const satisfies Record<string, EventKind>;

export type EventKindName = keyof typeof eventKinds;
/** Such as `network.operational`. */
export type EventType = {
  [Kind in EventKindName]: `${Kind}.${keyof (typeof eventKinds)[Kind]['events'] & string}`;
}[EventKindName];

export interface EventTypeRow {
  type: EventType;
  kind: EventKindName;
  description: string;
}

/** All types in the order of the table. */
export const eventTypes: readonly EventTypeRow[] = Object.entries(eventKinds).flatMap(([kind, { events }]) =>
  Object.entries(events).map(([name, description]) => ({
    type: `${kind}.${name}` as EventType,
    kind: kind as EventKindName,
    description,
  })),
);

/** The kind that a type belongs to. */
export function kindOfEvent(type: EventType): EventKindName {
  return type.slice(0, type.indexOf('.')) as EventKindName;
}

/** What the stream says about itself. These events have neither workspace nor object. */
export const streamEventTypes = {
  'stream.ready': 'Everything that exists was sent; what follows are changes.',
  'stream.reset':
    'Changes since the last event are lost: forget what you know. Everything that exists follows, then stream.ready.',
} as const;
export type StreamEventType = keyof typeof streamEventTypes;

/** A filter of types: a type, or a kind with a wildcard such as `network.*`; `*` is all. */
export function matchesType(pattern: string, type: string): boolean {
  if (!pattern.endsWith('*')) return pattern === type;
  return type.startsWith(pattern.slice(0, -1));
}

/** The types that patterns select. */
export function typesOf(patterns: readonly string[]): EventTypeRow[] {
  return eventTypes.filter(({ type }) => patterns.some((pattern) => matchesType(pattern, type)));
}

/** What somebody must be allowed to read to know of events of these types. */
export function readPermissionsOf(types: readonly EventTypeRow[]): Permission[] {
  return [...new Set(types.map(({ kind }) => eventKinds[kind].permission))];
}

/** Whether a pattern selects any type. */
export function isKnownPattern(pattern: string): boolean {
  const isWild = pattern === '*' || /^[a-z]+\.\*$/.test(pattern);
  return (isWild || !pattern.includes('*')) && eventTypes.some(({ type }) => matchesType(pattern, type));
}
