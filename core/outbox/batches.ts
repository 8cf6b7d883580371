import { z } from 'zod';
import { type OutboxBatch, type OutboxResource, outboxBatchSchema } from '../api/resources/outbox.ts';
import { AppError } from '../lib/errors.ts';

const batchesSchema = z.array(outboxBatchSchema);
const known = new WeakMap<OutboxResource, readonly OutboxBatch[]>();

/**
 * The batches of an Outbox, in the order of their nonces. They are one text in it: kube-apiserver works through each
 * member of an object at each write, and a sender queue with a hundred batches would cost it seven times as much.
 * Throws Internal when somebody has spoilt them by hand.
 */
export function batchesOf(object: OutboxResource | undefined): readonly OutboxBatch[] {
  const text = object?.spec.batches;
  if (!object || !text) return [];
  const batches = known.get(object) ?? parse(object.metadata.name, text);
  known.set(object, batches);
  return batches;
}

function parse(name: string, text: string): OutboxBatch[] {
  try {
    return batchesSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('Internal', `the batches of the Outbox ${name} cannot be read`, { cause });
  }
}

/** What `read` makes of each batch of an Outbox; nothing of an Outbox that somebody has spoilt by hand. */
export function unlessSpoilt<T>(object: OutboxResource, read: (batch: OutboxBatch) => readonly T[]): T[] {
  try {
    return batchesOf(object).flatMap(read);
  } catch {
    return [];
  }
}

/** Batches as an Outbox keeps them. */
export function packBatches(batches: readonly OutboxBatch[]): string {
  return JSON.stringify(batches);
}
