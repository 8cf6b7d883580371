import { createHmac } from 'node:crypto';
import type { KubeMeta } from '../api/resources/kubeObject.ts';
import { parseRfc3339, toRfc3339 } from '../lib/clock.ts';
import type { ObjectEvent } from './objectEvent.ts';

/**
 * The id of an event: the same in every process with the same key. It does not show the revision of the cluster, which
 * counts the writes of all workspaces.
 */
export function eventIdOf(key: Uint8Array, { type, resource, transaction }: ObjectEvent): string {
  const { uid, resourceVersion } = resource.metadata;
  const covered = JSON.stringify(['event', uid, resourceVersion, type, transaction?.hash ?? '']);
  return `evt_${createHmac('sha256', key).update(covered).digest('base64url').slice(0, 24)}`;
}

interface ManagedMeta extends KubeMeta {
  managedFields?: { time?: string }[];
}

/**
 * When a version of an object was written, as far as it says so: its managed fields have the time of each writer's last
 * change. `metadata` is that of the object before managed fields are stripped.
 */
export function writtenAt(metadata: ManagedMeta): string | undefined {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)];
  const timesMs = times.map(parseRfc3339).filter((timeMs) => timeMs !== undefined);
  return timesMs.length === 0 ? undefined : toRfc3339(Math.max(...timesMs));
}

/** When an event happened: what the transaction says, or else when its object was written. */
export function createdAtOf({ type, transaction, resource }: ObjectEvent, fallback: string): string {
  if (transaction) return transactionTime(type, transaction) ?? fallback;
  const { deletionTimestamp, creationTimestamp } = resource.metadata;
  if (type.endsWith('.created')) return creationTimestamp;
  return (type.endsWith('.deleted') && deletionTimestamp) || fallback;
}

function transactionTime(
  type: string,
  { acceptedAt, settledAt }: NonNullable<ObjectEvent['transaction']>,
): string | undefined {
  if (type === 'transaction.broadcast') return undefined;
  return settledAt ?? acceptedAt;
}
