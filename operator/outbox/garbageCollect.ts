import { labels } from '../../core/api/names.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { listPages } from '../../core/kube/pages.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { partsOf } from './archive.ts';
import type { OutboxDeps } from './deps.ts';

/** How long a settled transaction is reported, and its idempotency key known. */
const keepMs = 24 * 3_600_000;
/** Of the pages without idempotency keys, all but so many of the newest are kept for a shorter time. */
const maxPages = 80;
const minKeepMs = 2 * 3_600_000;
/** A write takes seconds: a part that no sender queue names after this time is an orphan. */
const orphanMs = 3_600_000;
const minuteMs = 60_000;
const pageSize = 500;

export interface Collection {
  head: Stored<OutboxResource>;
  /** Whether the network has left the sender queue's chain. */
  isOver: boolean;
  nowMs: number;
}

/**
 * Deletes orphaned parts, old archives, and finally the sender queue of an earlier incarnation. Archives are not
 * cached: this lists their metadata, a page at a time.
 */
export async function collectGarbage(
  { kube }: Pick<OutboxDeps, 'kube'>,
  { head, isOver, nowMs }: Collection,
): Promise<void> {
  const { namespace, name } = head.metadata;
  const labelSelector = `${labels.queue}=${name},${labels.role} in (bytes,archive)`;
  const named = partsOf(head);
  let left = 0;
  const options = { namespace, labelSelector, isMetadataOnly: true, limit: pageSize };
  for await (const { items } of listPages(kube, outboxType, options)) {
    const old = items.filter((object) => isGarbage(object, { head, named, nowMs }));
    for (const { metadata } of old) await kube.delete(outboxType, metadata, { uid: metadata.uid });
    left += items.length - old.length;
  }
  const isEmpty = left === 0 && batchesOf(head).length === 0;
  if (isOver && isEmpty && ageMs(head, nowMs) > keepMs) {
    const { uid, resourceVersion } = head.metadata;
    await kube.delete(outboxType, head.metadata, { uid, resourceVersion });
  }
}

interface Judgement {
  head: Stored<OutboxResource>;
  /** The parts that the sender queue names. */
  named: ReadonlySet<string>;
  nowMs: number;
}

function isGarbage(object: Stored<OutboxResource>, { head, named, nowMs }: Judgement): boolean {
  const { name, labels: own = {} } = object.metadata;
  if (own[labels.role] === 'bytes') return !named.has(name) && ageMs(object, nowMs) > orphanMs;
  const settledMs = Number(own[labels.settled] ?? nowMs / minuteMs) * minuteMs;
  const pagesAfter = (head.spec.page ?? 0) - pageNumberOf(name);
  return nowMs - settledMs > (pagesAfter >= maxPages ? minKeepMs : keepMs);
}

/** Infinity for an archive that is not a page. */
function pageNumberOf(name: string): number {
  return Number(/-a(\d+)$/.exec(name)?.[1] ?? Number.POSITIVE_INFINITY);
}

function ageMs({ metadata }: Stored<OutboxResource>, nowMs: number): number {
  return nowMs - (parseRfc3339(metadata.creationTimestamp) ?? nowMs);
}
