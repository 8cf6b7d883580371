import type { FromStatus } from '../api/resources/snapshot.ts';

/** What identifies the stored parts of a snapshot. */
export type SnapshotParts = Pick<FromStatus, 'id' | 'digest' | 'parts'>;

/**
 * The names of the ConfigMaps that hold a snapshot, in order. The digest is part of a name, so that the parts of an
 * attempt that was interrupted are never mixed with those of the next one.
 */
export function partNamesOf({ id, digest, parts }: SnapshotParts): string[] {
  return Array.from({ length: parts }, (_, index) => `snapshot-${id}-${digest}-${index}`);
}

/** The file of a part. The order of the names is that of the parts. */
export function partFileOf(index: number): string {
  return `part-${String(index).padStart(3, '0')}`;
}
