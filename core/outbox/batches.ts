import { z } from 'zod';
import {
  type OutboxBatch,
  type OutboxResource,
  type OutboxSpec,
  outboxBatchSchema,
} from '../api/resources/outbox.ts';
import { createBoundedMap } from '../lib/boundedMap.ts';
import { AppError } from '../lib/errors.ts';

const batchesSchema = z.array(outboxBatchSchema);
/** By spec, which copies of an object share. */
const known = new WeakMap<OutboxSpec, readonly OutboxBatch[]>();
/**
 * By text: what this process writes comes back to it twice, in the answer and from the watch. Together at most some
 * megabytes, and as many texts as there are sender queues in use at a time.
 */
const recent = createBoundedMap<string, readonly OutboxBatch[]>(64);
const maxRecentText = 50_000;

/**
 * The batches of an Outbox, in nonce order. The Outbox stores them as one string: kube-apiserver processes every member
 * of an object on every write, and a sender queue with a hundred batches would cost it seven times as much.
 * Throws Internal when somebody corrupted them by hand.
 */
export function batchesOf(object: OutboxResource | undefined): readonly OutboxBatch[] {
  const text = object?.spec.batches;
  if (!object || !text) return [];
  const kept = known.get(object.spec);
  if (kept) return kept;
  const batches = recent.get(text) ?? parse(object.metadata.name, text);
  known.set(object.spec, batches);
  remember(text, batches);
  return batches;
}

function remember(text: string, batches: readonly OutboxBatch[]): void {
  if (text.length <= maxRecentText) recent.set(text, batches);
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
  const text = JSON.stringify(batches);
  remember(text, batches);
  return text;
}
