import { labels } from '../../core/api/names.ts';
import type {
  GapTransaction,
  OutboxBatch,
  OutboxResource,
  OutboxSpec,
} from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { retryOnConflict } from '../../core/kube/retryOnConflict.ts';
import { parseRfc3339, toRfc3339 } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { type Marks, marksOf, packMarked } from '../../core/outbox/marks.ts';
import { keyRecordNameOf, newOutbox, queueRefOf, withSpec } from '../../core/outbox/outboxObjects.ts';
import { packResults, type Result } from '../../core/outbox/results.ts';
import type { OutboxDeps } from './deps.ts';
import type { OpenQueue } from './openEntries.ts';

/** An archive page accepts more batches until it reaches this length. */
const pageBytes = 32_000;
const maxAttempts = 10;
const minuteMs = 60_000;

type ArchiveDeps = Pick<OutboxDeps, 'kube' | 'caches'>;

/** Batches in which every transaction is settled. */
export function settledBatches(
  queue: OpenQueue,
  results: ReadonlyMap<string, Result>,
  nowMs: number,
): OutboxBatch[] {
  const batches: OutboxBatch[] = [];
  for (const [batch, own] of Map.groupBy(queue.entries, (entry) => entry.batch)) {
    const found = own.map(({ key }) => results.get(key)).filter((result) => result !== undefined);
    if (found.length < own.length) continue;
    const { raw: _raw, parts: _parts, ...kept } = batch;
    batches.push({
      ...kept,
      hashes: own.map(({ hash }) => hash.slice(2)).join(''),
      // The clock of the process that accepted it may be ahead.
      settledAt: toRfc3339(Math.max(nowMs, parseRfc3339(batch.acceptedAt) ?? 0)),
      results: packResults(found),
    });
  }
  return batches;
}

/**
 * Moves settled batches out of the sender queue. They are written to the archive first, so at least one of the two has
 * them at any moment; then the sender queue records that its archive has changed. A batch with an idempotency key gets
 * an object that is found by its name; the others share pages.
 */
export async function archive(
  deps: ArchiveDeps,
  head: Stored<OutboxResource>,
  settled: readonly OutboxBatch[],
): Promise<void> {
  const keyed = settled.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  const others = settled.filter(({ idempotencyKey }) => idempotencyKey === undefined);
  for (const batch of keyed) await writeKeyRecord(deps, head, batch);
  const page = await addToPages(deps, head, others);
  const ids = new Set(settled.map(({ id }) => id));
  const written = await changeQueue(deps, head, (present) => ({
    ...present.spec,
    archived: (present.spec.archived ?? 0) + 1,
    page,
    ...packMarked(
      batchesOf(present).filter(({ id }) => !ids.has(id) || isPromisedSince(head, present, id)),
      marksOf(present),
    ),
  }));
  await deleteParts(deps, head, written);
}

/** Whether an API server has accepted the batch since the state that it was settled by: then it is settled again. */
function isPromisedSince(settled: OutboxResource, present: OutboxResource, id: string): boolean {
  return marksOf(present)[id]?.queued === true && marksOf(settled)[id]?.queued !== true;
}

async function writeKeyRecord(
  { kube }: ArchiveDeps,
  head: Stored<OutboxResource>,
  batch: OutboxBatch,
): Promise<void> {
  const name = keyRecordNameOf(head.metadata.name, batch.idempotencyKey ?? '');
  const record = newArchive(head, { name, batches: [batch] });
  try {
    await kube.create(outboxType, record);
  } catch (error) {
    if (!isAppError(error, 'Conflict')) throw error;
    // An operator died before it changed the sender queue; what was accepted after that has another outcome.
    const former = await kube.get(outboxType, record.metadata);
    const isOutdated = former && batchesOf(former)[0]?.results !== batch.results;
    if (isOutdated) await kube.replace(outboxType, withSpec(former, record.spec));
  }
}

/** Adds batches to the newest page, or to new ones; returns the number of the newest page. */
async function addToPages(
  { kube }: ArchiveDeps,
  head: Stored<OutboxResource>,
  batches: readonly OutboxBatch[],
): Promise<number> {
  let number = head.spec.page ?? 0;
  const left = [...batches];
  while (left.length > 0) {
    const name = `${head.metadata.name}-a${String(number).padStart(8, '0')}`;
    const { namespace } = head.metadata;
    const page = await kube.get(outboxType, { namespace, name });
    const present = batchesOf(page);
    const known = new Set(present.map(({ id }) => id));
    const fresh = takeFitting(left, { known, length: page?.spec.batches?.length ?? 0 });
    if (fresh.length > 0)
      await writePage(
        { kube },
        page,
        newArchive(head, { name, batches: [...present, ...fresh], former: marksOf(page) }),
      );
    if (left.length > 0) number++;
  }
  return number;
}

/** Removes from `left` what is in the page already, and returns what else fits, at least one batch if it is empty. */
function takeFitting(
  left: OutboxBatch[],
  { known, length }: { known: ReadonlySet<string>; length: number },
): OutboxBatch[] {
  const fresh: OutboxBatch[] = [];
  let bytes = length;
  for (let [next] = left; next; [next] = left) {
    const size = JSON.stringify(next).length;
    const isKnown = known.has(next.id);
    if (!isKnown && bytes > 2 && bytes + size > pageBytes) break;
    left.shift();
    if (isKnown) continue;
    fresh.push(next);
    bytes += size;
  }
  return fresh;
}

async function writePage(
  { kube }: Pick<ArchiveDeps, 'kube'>,
  page: Stored<OutboxResource> | undefined,
  wanted: OutboxResource,
): Promise<void> {
  if (!page) return void (await kube.create(outboxType, wanted));
  const changed = withSpec(page, wanted.spec);
  const { labels: own } = wanted.metadata;
  await kube.replace(outboxType, {
    ...changed,
    metadata: { ...changed.metadata, ...(own ? { labels: own } : {}) },
  });
}

function newArchive(
  head: Stored<OutboxResource>,
  { name, batches, former = {} }: { name: string; batches: readonly OutboxBatch[]; former?: Marks },
): OutboxResource {
  const marks = { ...former, ...marksOf(head) };
  const object = newOutbox(queueRefOf(head), 'archive', { name, ...packMarked(batches, marks) });
  const lastMs = Math.max(...batches.map(({ settledAt }) => parseRfc3339(settledAt) ?? 0));
  const settled = { [labels.settled]: String(Math.floor(lastMs / minuteMs)) };
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...settled } } };
}

/** Deletes the parts that the sender queue named before the write and does not name after it. */
async function deleteParts(
  { kube }: ArchiveDeps,
  before: Stored<OutboxResource>,
  after: Stored<OutboxResource> | undefined,
): Promise<void> {
  const named = partsOf(after);
  const { namespace } = before.metadata;
  for (const name of partsOf(before))
    if (!named.has(name)) await kube.delete(outboxType, { namespace, name });
}

/** Names of the parts that a sender queue names. */
export function partsOf(head: OutboxResource | undefined): Set<string> {
  return new Set(batchesOf(head).flatMap(({ parts }) => parts ?? []));
}

/** Records nonce-gap transactions before they are sent. */
export async function addGapTransactions(
  deps: ArchiveDeps,
  head: Stored<OutboxResource>,
  added: readonly GapTransaction[],
): Promise<void> {
  const last = Math.max(...added.map(({ nonce }) => nonce));
  await changeQueue(deps, head, ({ spec }) => ({
    ...spec,
    // This also reserves a nonce that the sender queue never had.
    next: Math.max(spec.next ?? 0, last + 1),
    gapTransactions: [...(spec.gapTransactions ?? []), ...added],
  }));
}

/** Removes nonce-gap transactions whose nonces are used up. */
export async function removeGapTransactions(
  deps: ArchiveDeps,
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
  { kube, caches }: ArchiveDeps,
  head: Stored<OutboxResource>,
  change: (present: Stored<OutboxResource>) => OutboxSpec,
): Promise<Stored<OutboxResource> | undefined> {
  return retryOnConflict({ attempts: maxAttempts }, async (attempt) => {
    const current = attempt === 1 ? head : await kube.get(outboxType, head.metadata);
    if (!current) return undefined;
    const written = await kube.replace(outboxType, withSpec(current, change(current)));
    caches.outboxes.observe(written);
    return written;
  });
}
