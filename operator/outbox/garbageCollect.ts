import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { objectsOf } from './archive.ts';
import type { OutboxDeps } from './deps.ts';

/** How long a settled transaction is reported, */
const keepMs = 24 * 3_600_000;
/** and the minimum when there are many of them: idempotency keys are looked up for this long. */
const leastMs = 2 * 3_600_000;
const maxPages = 80;
/** A write takes seconds: a part that no sender queue names after this time is an orphan. */
const orphanMs = 3_600_000;

interface Tidying {
  head: Stored<OutboxResource>;
  /** Whether the network has left the sender queue's chain. */
  isOver: boolean;
  nowMs: number;
}

/** Deletes parts that the sender queue no longer names, old pages, and finally the sender queue of an earlier incarnation. */
export async function collectGarbage(deps: OutboxDeps, { head, isOver, nowMs }: Tidying): Promise<void> {
  const named = new Set(batchesOf(head).flatMap(({ parts }) => parts ?? []));
  const parts = objectsOf(deps, head, 'bytes').filter(
    (part) =>
      !named.has(part.metadata.name) && (isArchived(deps, head, part) || ageMs(part, nowMs) > orphanMs),
  );
  const pages = objectsOf(deps, head, 'archive');
  const old = pages.filter((page, index) => {
    const limitMs = index < pages.length - maxPages ? leastMs : keepMs;
    return settledAgoMs(page, nowMs) > limitMs;
  });
  for (const object of [...parts, ...old]) await remove(deps, object);
  const isEmpty = batchesOf(head).length === 0 && old.length === pages.length;
  if (isOver && isEmpty && ageMs(head, nowMs) > keepMs) await remove(deps, head);
}

/** Whether everything in a part is archived: false while its write is still under way. */
function isArchived(deps: OutboxDeps, head: Stored<OutboxResource>, part: Stored<OutboxResource>): boolean {
  const pages = objectsOf(deps, head, 'archive');
  const archived = new Set(pages.flatMap((page) => batchesOf(page).map(({ id }) => id)));
  return batchesOf(part).every(({ id }) => archived.has(id));
}

function ageMs({ metadata }: Stored<OutboxResource>, nowMs: number): number {
  return nowMs - (parseRfc3339(metadata.creationTimestamp) ?? nowMs);
}

/** Time since the last entry of a page was settled. */
function settledAgoMs(page: Stored<OutboxResource>, nowMs: number): number {
  const lastMs = batchesOf(page).map(({ settledAt }) => parseRfc3339(settledAt) ?? nowMs);
  return nowMs - Math.max(0, ...lastMs);
}

async function remove({ kube }: OutboxDeps, { metadata }: Stored<OutboxResource>): Promise<void> {
  const { uid } = metadata;
  await kube.delete(outboxType, metadata, { uid });
}
