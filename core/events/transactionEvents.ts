import type { EventType } from '../api/events/eventTypes.ts';
import type { OutboxBatch, OutboxResource } from '../api/resources/outbox.ts';
import type { Stored } from '../kube/kube.ts';
import { flatMapBatches } from '../outbox/batches.ts';
import { type OutboxFinder, recordsOfBatch, type SubmissionRecord } from '../outbox/records.ts';
import type { ObjectEvent } from './objectEvent.ts';
import { batchIdsOf } from './trimOutbox.ts';

type Outbox = Stored<OutboxResource>;

/**
 * The events of transactions in a change of an Outbox. A batch is submitted when a sender queue names it for the first
 * time, and settled when an archive does: it is written there once, before the queue drops it.
 */
export function transactionEvents(
  before: Outbox | undefined,
  after: Outbox | undefined,
  outboxes: OutboxFinder,
): ObjectEvent[] {
  if (!after || after.spec.role === 'bytes') return [];
  if (after.spec.role === 'archive') return settled(before, after, outboxes);
  return [...submitted(before, after, outboxes), ...broadcast(before, after, outboxes)];
}

/** The open transactions of a sender queue. */
export function openTransactions(outbox: Outbox, outboxes: OutboxFinder): ObjectEvent[] {
  if (outbox.spec.role !== 'queue') return [];
  return recordsIn(outbox, outboxes, () => true).map(asEvent('transaction.present', outbox));
}

function recordsIn(
  outbox: Outbox,
  outboxes: OutboxFinder,
  isWanted: (batch: OutboxBatch) => boolean,
): SubmissionRecord[] {
  return flatMapBatches(outbox, (batch) => (isWanted(batch) ? recordsOfBatch(outboxes, outbox, batch) : []));
}

function asEvent(type: EventType, resource: Outbox): (transaction: SubmissionRecord) => ObjectEvent {
  return (transaction) => ({ type, resource, transaction });
}

function submitted(before: Outbox | undefined, after: Outbox, outboxes: OutboxFinder): ObjectEvent[] {
  if (before?.spec.batches === after.spec.batches) return [];
  const known = before && batchIdsOf(before);
  const records = recordsIn(after, outboxes, ({ id }) => !known?.has(id));
  return records.map(asEvent('transaction.submitted', after));
}

function broadcast(before: Outbox | undefined, after: Outbox, outboxes: OutboxFinder): ObjectEvent[] {
  const [from, to] = [before?.status?.sent ?? 0, after.status?.sent ?? 0];
  if (to <= from) return [];
  const records = recordsIn(after, outboxes, ({ first, count }) => first < to && first + count > from);
  return records
    .filter(({ nonce }) => nonce >= from && nonce < to)
    .map(asEvent('transaction.broadcast', after));
}

function settled(before: Outbox | undefined, after: Outbox, outboxes: OutboxFinder): ObjectEvent[] {
  const known = before && batchIdsOf(before);
  const records = recordsIn(after, outboxes, ({ id }) => !known?.has(id));
  return records.flatMap((transaction) =>
    transaction.result ? [asEvent(`transaction.${transaction.result.state}`, after)(transaction)] : [],
  );
}
