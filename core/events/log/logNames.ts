import type { EventKindName } from '../../api/events/eventTypes.ts';

/** The logs, named as the caches that fill them, by the kind of their events. */
export const logOf = {
  network: 'networks',
  token: 'tokens',
  transaction: 'outboxes',
  recording: 'recordings',
  snapshot: 'snapshots',
  secret: 'secrets',
} as const satisfies Record<EventKindName, string>;

export type LogName = (typeof logOf)[EventKindName];
export const logNames: readonly LogName[] = Object.values(logOf);
