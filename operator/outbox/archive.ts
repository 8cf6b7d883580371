import { labels } from '../../core/api/names.ts';
import type {
  GapTransaction,
  OutboxBatch,
  OutboxResource,
  OutboxSpec,
} from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { batchesOf, packBatches } from '../../core/outbox/batches.ts';
import { newOutbox, queueRefOf, withSpec } from '../../core/outbox/outboxObjects.ts';
import { packResults, type Result } from '../../core/outbox/results.ts';
import type { OutboxDeps } from './deps.ts';
import type { OpenQueue } from './openEntries.ts';

/** An archive page accepts more entries until it reaches this length. */
const pageBytes = 32_000;
const maxAttempts = 10;

/** The cached objects of one role that belong to a sender queue, by name. */
export function objectsOf(
  { caches }: Pick<OutboxDeps, 'caches'>,
  head: Stored<OutboxResource>,
  role: string,
): Stored<OutboxResource>[] {
  const queue = head.metadata.labels?.[labels.queue] ?? '';
  return caches.outboxes
    .byIndex('queue', `${head.metadata.namespace}/${queue}`)
    .filter(({ spec }) => spec.role === role)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Batches in which every transaction is settled. */
export function settledBatches(
  queue: OpenQueue,
  results: ReadonlyMap<string, Result>,
  nowMs: number,
): OutboxBatch[] {
  const batches: OutboxBatch[] = [];
  for (const batch of batchesOf(queue.head)) {
    const own = queue.entries.filter((entry) => entry.batch === batch);
    const found = own.map(({ hash }) => results.get(hash)).filter((result) => result !== undefined);
    if (found.length < own.length) continue;
    const { raw: _raw, parts: _parts, ...kept } = batch;
    batches.push({
      ...kept,
      hashes: own.map(({ hash }) => hash.slice(2)).join(''),
      settledAt: toRfc3339(nowMs),
      results: packResults(found),
    });
  }
  return batches;
}

/**
 * Moves settled batches out of the sender queue. They are written to the archive first, so at least one of the two has them at any moment;
 * then the sender queue records that its archive has changed.
 */
export async function archive(
  deps: OutboxDeps,
  head: Stored<OutboxResource>,
  settled: readonly OutboxBatch[],
): Promise<void> {
  for (const batch of settled) await addToPage(deps, head, batch);
  const ids = new Set(settled.map(({ id }) => id));
  await changeQueue(deps, head, (present) => ({
    ...present.spec,
    archived: (present.spec.archived ?? 0) + 1,
    batches: packBatches(batchesOf(present).filter(({ id }) => !ids.has(id))),
  }));
}

async function addToPage(deps: OutboxDeps, head: Stored<OutboxResource>, batch: OutboxBatch): Promise<void> {
  const pages = objectsOf(deps, head, 'archive');
  const last = pages.at(-1);
  const isThere = pages.some((page) => batchesOf(page).some(({ id }) => id === batch.id));
  if (isThere) return;
  const batches = batchesOf(last);
  const isFull = !last || JSON.stringify(batches).length + JSON.stringify(batch).length > pageBytes;
  const written = isFull
    ? await deps.kube.create(outboxType, newPage(head, { number: numberOf(last) + 1, batch }))
    : await deps.kube.replace(
        outboxType,
        withSpec(last, { ...last.spec, batches: packBatches([...batches, batch]) }),
      );
  deps.caches.outboxes.observe(written);
}

function newPage(
  head: Stored<OutboxResource>,
  { number, batch }: { number: number; batch: OutboxBatch },
): OutboxResource {
  const suffix = `-a${String(number).padStart(8, '0')}`;
  return newOutbox(queueRefOf(head), 'archive', { batches: packBatches([batch]), suffix });
}

function numberOf(page: Stored<OutboxResource> | undefined): number {
  return page ? Number(/-a(\d+)$/.exec(page.metadata.name)?.[1] ?? 0) : 0;
}

/** Records a nonce-gap transaction before it is sent. */
export async function addGapTransaction(
  deps: OutboxDeps,
  head: Stored<OutboxResource>,
  gapTransaction: GapTransaction,
): Promise<void> {
  await changeQueue(deps, head, ({ spec }) => ({
    ...spec,
    // This also reserves a nonce that the sender queue never had.
    next: Math.max(spec.next ?? 0, gapTransaction.nonce + 1),
    gapTransactions: [...(spec.gapTransactions ?? []), gapTransaction],
  }));
}

/** Removes nonce-gap transactions whose nonces are used up. */
export async function removeGapTransactions(
  deps: OutboxDeps,
  head: Stored<OutboxResource>,
  mined: number,
): Promise<void> {
  await changeQueue(deps, head, ({ spec }) => ({
    ...spec,
    gapTransactions: (spec.gapTransactions ?? []).filter(({ nonce }) => nonce >= mined),
  }));
}

/** Changes a sender queue's spec and retries on a conflict, because API servers write it as well. */
async function changeQueue(
  { kube, caches }: OutboxDeps,
  head: Stored<OutboxResource>,
  change: (present: Stored<OutboxResource>) => OutboxSpec,
): Promise<void> {
  let current: Stored<OutboxResource> | undefined = head;
  for (let attempt = 1; current; attempt++) {
    try {
      caches.outboxes.observe(await kube.replace(outboxType, withSpec(current, change(current))));
      return;
    } catch (error) {
      if (!isAppError(error, 'Conflict') || attempt === maxAttempts) throw error;
    }
    current = await kube.get(outboxType, head.metadata);
  }
}
