import {
  networkType,
  outboxType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../api/resources/resources.ts';

/** The kinds whose changes are events, by the names of their caches. */
export const watchedTypes = {
  networks: networkType,
  tokens: tokenType,
  outboxes: outboxType,
  recordings: recordingType,
  snapshots: snapshotType,
  secrets: secretType,
} as const;
