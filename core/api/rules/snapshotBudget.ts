import type { Installation } from '../installation.ts';
import type { SnapshotResource } from '../resources/snapshot.ts';

export type SnapshotQuota = Pick<
  Installation['quota'],
  'snapshots' | 'snapshotMiB' | 'workspaceSnapshotsMiB'
>;

const mib = 1024 * 1024;

/** Why a workspace with these snapshots cannot have another one; undefined if it can. */
export function countRefusal(
  { snapshots: max }: Pick<SnapshotQuota, 'snapshots'>,
  others: readonly SnapshotResource[],
): string | undefined {
  const count = others.filter(({ status }) => status?.state !== 'Failed').length;
  if (count < max) return undefined;
  return `the workspace has ${count} snapshots, and its budget is ${max} (chart value quota.snapshots): delete one`;
}

/** Why a snapshot is too large, by itself; undefined if it is not. */
export function sizeRefusal(
  { snapshotMiB }: Pick<SnapshotQuota, 'snapshotMiB'>,
  bytes: number,
): string | undefined {
  if (bytes <= snapshotMiB * mib) return undefined;
  const size = Number.isFinite(bytes) ? `has ${bytes} bytes` : 'is larger than what is read of an engine';
  return `the compressed state ${size}, and the budget of a snapshot is ${snapshotMiB} MiB (chart value quota.snapshotMiB): take it of a smaller chain`;
}

/** Why a snapshot of this size does not fit into a workspace with these snapshots; undefined if it does. */
export function spaceRefusal(
  { workspaceSnapshotsMiB }: Pick<SnapshotQuota, 'workspaceSnapshotsMiB'>,
  others: readonly SnapshotResource[],
  bytes: number,
): string | undefined {
  const used = others.reduce((sum, { status }) => sum + (status?.bytes ?? 0), 0);
  if (used + bytes <= workspaceSnapshotsMiB * mib) return undefined;
  return `the snapshots of the workspace have ${used} bytes, this one ${bytes}, and their budget is ${workspaceSnapshotsMiB} MiB (chart value quota.workspaceSnapshotsMiB): delete one`;
}
