import type { OutboxResource, OutboxStatus } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { stableJson } from '../../core/lib/hash.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import type { OutboxDeps } from './deps.ts';
import type { QueueMemory } from './memory.ts';
import type { OpenQueue } from './openEntries.ts';
import type { AccountState } from './readAccountState.ts';

/** Why a sender queue waits: what blocks the lowest nonce. */
export function problemOf({ problems }: QueueMemory): string | undefined {
  const [first] = [...problems].sort(([a], [b]) => a - b);
  return first && cut(`nonce ${first[0]}: ${first[1].reason}`, 1000);
}

interface Progress {
  memory: QueueMemory;
  account: AccountState | undefined;
  /** Ids of the batches that were just archived. */
  archived: ReadonlySet<string>;
}

/** How far the transactions of a sender queue are. */
export function progressOf({ head }: OpenQueue, { memory, account, archived }: Progress): OutboxStatus {
  const batches = batchesOf(head).filter(({ id }) => !archived.has(id));
  const open = batches.reduce((sum, { count }) => sum + count, 0) - memory.results.size;
  const [first] = batches;
  // The chain may have been rolled back since the last time: what was mined must still be known.
  const before = head.status?.partly;
  const mined = Math.max(account?.mined ?? 0, before?.batch === first?.id ? (before?.mined ?? 0) : 0);
  const partly = first && mined > first.first ? { batch: first.id, mined } : undefined;
  return { open, ...compact({ sent: account?.pending, partly }) };
}

/** Writes the progress of a sender queue to its status when it changed. Unknown values keep what was reported before. */
export async function writeQueueStatus(
  { kube, caches }: Pick<OutboxDeps, 'kube' | 'caches'>,
  head: Stored<OutboxResource>,
  change: OutboxStatus,
): Promise<void> {
  const { message: _former, partly: _partly, ...kept } = head.status ?? {};
  const status: OutboxStatus = { ...kept, ...change };
  if (stableJson(status) === stableJson(head.status ?? {})) return;
  const patch = { status: { ...status, message: status.message ?? null, partly: status.partly ?? null } };
  caches.outboxes.observe(await kube.patch(outboxType, head.metadata, patch, 'status'));
}
