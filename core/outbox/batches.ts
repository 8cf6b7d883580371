import { z } from 'zod';
import {
  type OutboxBatch,
  type OutboxResource,
  type OutboxSpec,
  outboxBatchSchema,
} from '../api/resources/outbox.ts';
import { AppError } from '../lib/errors.ts';

const batchesSchema = z.array(outboxBatchSchema);
/** By spec, which copies of an object share. */
const known = new WeakMap<OutboxSpec, readonly OutboxBatch[]>();

/**
 * The batches of an Outbox, in nonce order. The Outbox stores them as one string: kube-apiserver processes every member
 * of an object on every write, and a sender queue with a hundred batches would cost it seven times as much.
 * Throws Internal when somebody corrupted them by hand.
 */
export function batchesOf(object: OutboxResource | undefined): readonly OutboxBatch[] {
  const text = object?.spec.batches;
  if (!object || !text) return [];
  const batches = known.get(object.spec) ?? parse(object.metadata.name, text);
  known.set(object.spec, batches);
  return batches;
}

function parse(name: string, text: string): OutboxBatch[] {
  try {
    return batchesSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('Internal', `spec.batches of Outbox "${name}" is invalid`, { cause });
  }
}

/** `read` applied to each batch of an Outbox; empty for an Outbox that somebody corrupted by hand. */
export function flatMapBatches<T>(object: OutboxResource, read: (batch: OutboxBatch) => readonly T[]): T[] {
  try {
    return batchesOf(object).flatMap(read);
  } catch {
    return [];
  }
}

/** Batches as an Outbox stores them. */
export function packBatches(batches: readonly OutboxBatch[]): string {
  return JSON.stringify(batches);
}
