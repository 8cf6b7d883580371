import { z } from 'zod';
import {
  type BatchMark,
  batchMarkSchema,
  type OutboxBatch,
  type OutboxResource,
  type OutboxSpec,
} from '../api/resources/outbox.ts';
import { type Instance, isProcess } from '../evm/instance.ts';
import { packBatches } from './batches.ts';

/** Marks by id of the batch. A batch from before 0.4 has none. */
export type Marks = Readonly<Record<string, BatchMark>>;

const marksSchema = z.record(z.string(), batchMarkSchema);
/** By spec, which copies of an object share. */
const known = new WeakMap<OutboxSpec, Marks>();

/** The marks of an Outbox; none for one that somebody corrupted by hand. */
export function marksOf(object: OutboxResource | undefined): Marks {
  const text = object?.spec.marks;
  if (!object || !text) return {};
  const kept = known.get(object.spec) ?? parse(text);
  known.set(object.spec, kept);
  return kept;
}

function parse(text: string): Marks {
  try {
    return marksSchema.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

/** Batches and their marks as an Outbox stores them. */
export function packMarked(
  batches: readonly OutboxBatch[],
  marks: Marks,
): Required<Pick<OutboxSpec, 'batches' | 'marks'>> {
  const own = batches.flatMap(({ id }) => (marks[id] ? [[id, marks[id]] as const] : []));
  return { batches: packBatches(batches), marks: JSON.stringify(Object.fromEntries(own)) };
}

/** Whether a transaction of a batch was undone after it had been acknowledged. */
export function isUndone(mark: BatchMark | undefined, nonce: number): boolean {
  return mark?.undone !== undefined && nonce >= mark.undone;
}

/**
 * Whether this process acknowledged a transaction before anybody was told that it is accepted, or its sender died before that. In
 * both cases it is not sent again.
 */
export function isAcknowledgedBy(instance: Instance, mark: BatchMark | undefined): boolean {
  return isProcess(instance) && mark?.instance === instance && !mark.queued;
}
