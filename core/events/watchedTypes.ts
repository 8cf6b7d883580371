import {
  networkType,
  outboxType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../api/resources/resources.ts';

/**
 * Objects in one page of a list. An archive of transactions has 40 kB of JSON: 500 of them would take 140 MiB while they
 * are parsed.
 */
export const pageSizeOf = ({ kind }: { kind: string }): number => (kind === outboxType.kind ? 20 : 500);

/** The kinds whose changes are events, by the names of their caches and logs. */
export const watchedTypes = {
  networks: networkType,
  tokens: tokenType,
  outboxes: outboxType,
  recordings: recordingType,
  snapshots: snapshotType,
  secrets: secretType,
} as const;

export type LogName = keyof typeof watchedTypes;
export const logNames = Object.keys(watchedTypes) as readonly LogName[];
