import { labels } from '../../core/api/names.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { flatMapBatches } from '../../core/outbox/batches.ts';
import { recordsOfBatch, type SubmissionRecord, toSubmission } from '../../core/outbox/records.ts';

export type OutboxView = Pick<Reflector<OutboxResource>, 'byIndex' | 'get'>;

/** Recorded transactions that are in memory: those of a namespace that are not archived, newest first. */
export function openRecordsIn(outboxes: OutboxView, namespace: string): SubmissionRecord[] {
  const objects = outboxes.byIndex('namespace', namespace).filter(({ spec }) => spec.role === 'queue');
  return newestFirst(objects.flatMap((object) => recordsOf(outboxes, object)));
}

/** Those with the hash that are not archived. */
export function openRecordsByHash(outboxes: OutboxView, namespace: string, hash: string): SubmissionRecord[] {
  const holders = outboxes
    .byIndex('hash', hash)
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map((object) => queueOf(outboxes, object) ?? object);
  const records = [...new Set(holders)].flatMap((object) => recordsOf(outboxes, object));
  return records.filter((record) => record.hash === hash);
}

/** Each transaction once: one that is being archived is briefly in two objects. */
export function newestFirst(records: readonly SubmissionRecord[]): SubmissionRecord[] {
  const byKey = new Map<string, SubmissionRecord>();
  for (const record of records) {
    const key = keyOf(record);
    if (record.result || !byKey.has(key)) byKey.set(key, record);
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
}

/** The sender queue that a part belongs to. */
function queueOf(
  outboxes: OutboxView,
  { metadata, spec }: Stored<OutboxResource>,
): Stored<OutboxResource> | undefined {
  if (spec.role !== 'bytes') return undefined;
  return outboxes.get({ namespace: metadata.namespace, name: metadata.labels?.[labels.queue] ?? '' });
}

export function recordsOf(outboxes: OutboxView, object: Stored<OutboxResource>): SubmissionRecord[] {
  return flatMapBatches(object, (batch) => recordsOfBatch(outboxes, object, batch));
}

const farMs = 10 ** 15;
const farNonce = 10 ** 15;

/** Ascending order is newest first. */
export function keyOf({ acceptedAt, nonce, hash, networkId, incarnation, batch }: SubmissionRecord): string {
  const timeLeft = String(farMs - (parseRfc3339(acceptedAt) ?? 0)).padStart(16, '0');
  const nonceLeft = String(farNonce - nonce).padStart(16, '0');
  return `${timeLeft}/${nonceLeft}/${hash}/${networkId}/${incarnation}/${batch}`;
}

/**
 * The newest of the records of one hash, which are in the order of their keys. Times have whole seconds: of what was submitted again
 * within one, only the last may be on the chain.
 */
export function newestOf(records: readonly SubmissionRecord[]): SubmissionRecord | undefined {
  const [first] = records;
  const isOfItsTime = ({ acceptedAt, incarnation }: SubmissionRecord) =>
    acceptedAt === first?.acceptedAt && incarnation === first.incarnation;
  return records.find((one) => isOfItsTime(one) && one.result?.state !== 'dropped') ?? first;
}

/** When a record with this key was accepted. */
export function acceptedMsOf(key: string): number {
  return farMs - Number(key.slice(0, 16));
}

/** A selectable field as text. */
export function readSubmissionField(record: SubmissionRecord, field: string): string | undefined {
  if (field === 'state') return toSubmission(record).state;
  if (field === 'network_id') return record.networkId;
  if (field === 'from') return record.from;
  return field === 'user_id' ? record.userId : undefined;
}
