import { labels } from '../../core/api/names.ts';
import type { OutboxBatch, OutboxResource } from '../../core/api/resources/outbox.ts';
import type { SubmissionBody } from '../../core/api/rest/submission.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { batchesOf, flatMapBatches } from '../../core/outbox/batches.ts';
import { hashesIn } from '../../core/outbox/outboxObjects.ts';
import { type Result, unpackResults } from '../../core/outbox/results.ts';

/** A submitted transaction according to the Outbox. */
export interface SubmissionRecord {
  hash: string;
  nonce: number;
  networkId: string;
  /** The incarnation of the network that it was submitted to. */
  incarnation: string;
  from: string;
  acceptedAt: string;
  settledAt?: string;
  userId?: string;
  /** Undefined until it is settled. */
  result?: Result;
  /** Whether the node is known to have it. */
  isBroadcast: boolean;
  /** Why its sender queue is waiting. */
  problem?: string;
}

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

function recordsOfBatch(
  outboxes: OutboxView,
  { metadata, spec, status }: Stored<OutboxResource>,
  batch: OutboxBatch,
): SubmissionRecord[] {
  const { namespace } = metadata;
  const results = unpackResults(batch.results);
  const sent = status?.sent ?? 0;
  const common = {
    networkId: spec.networkID,
    incarnation: spec.incarnation,
    from: spec.signer,
    acceptedAt: batch.acceptedAt,
    ...compact({ settledAt: batch.settledAt, userId: batch.user, problem: status?.message || undefined }),
  };
  return hashesOf(outboxes, namespace, batch).map((hash, index) => {
    const nonce = batch.first + index;
    const result = results[index];
    return { ...common, hash, nonce, isBroadcast: nonce < sent, ...compact({ result }) };
  });
}

/** Transactions of parts that are not cached (yet) are briefly missing. */
function hashesOf(outboxes: OutboxView, namespace: string, batch: OutboxBatch): string[] {
  if (!batch.parts) return hashesIn(batch);
  const parts = batch.parts.map((name) => outboxes.get({ namespace, name }));
  const pieces = parts.flatMap((part) => batchesOf(part).filter(({ id }) => id === batch.id));
  return pieces.flatMap(hashesIn);
}

const farMs = 10 ** 15;
const farNonce = 10 ** 15;

/** Ascending order is newest first. */
export function keyOf({ acceptedAt, nonce, hash, networkId, incarnation }: SubmissionRecord): string {
  const timeLeft = String(farMs - (parseRfc3339(acceptedAt) ?? 0)).padStart(16, '0');
  const nonceLeft = String(farNonce - nonce).padStart(16, '0');
  return `${timeLeft}/${nonceLeft}/${hash}/${networkId}/${incarnation}`;
}

/** When a record with this key was accepted. */
export function acceptedMsOf(key: string): number {
  return farMs - Number(key.slice(0, 16));
}

/** The Submission of REST. */
export function toSubmission(record: SubmissionRecord): SubmissionBody {
  const { hash, nonce, networkId, from, acceptedAt, settledAt, userId, result, isBroadcast, problem } =
    record;
  const open = {
    state: isBroadcast ? 'broadcast' : 'accepted',
    ...compact({ message: problem || undefined }),
  } as const;
  return {
    kind: 'Submission',
    version: 'v1alpha1',
    hash,
    network_id: networkId,
    ...(result ? outcomeOf(result) : open),
    from,
    nonce,
    accepted_at: acceptedAt,
    ...compact({ settled_at: settledAt, user_id: userId }),
  };
}

function outcomeOf(
  result: Result,
): Pick<SubmissionBody, 'state' | 'message' | 'block' | 'gas_used' | 'contract_address'> {
  const { state } = result;
  if (state === 'dropped') return { state, message: result.reason };
  const { block, gasUsed: gas_used } = result;
  if (state === 'failed') return { state, message: result.reason, block, gas_used };
  return { state, block, gas_used, ...compact({ contract_address: result.contract }) };
}

/** A selectable field as text. */
export function readSubmissionField(record: SubmissionRecord, field: string): string | undefined {
  if (field === 'state') return toSubmission(record).state;
  if (field === 'network_id') return record.networkId;
  if (field === 'from') return record.from;
  return field === 'user_id' ? record.userId : undefined;
}
