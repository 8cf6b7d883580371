import { z } from 'zod';
import { type OutboxBatch, type OutboxResource, outboxBatchSchema } from '../api/outbox.ts';

const batchesSchema = z.array(outboxBatchSchema);
const known = new WeakMap<OutboxResource, readonly OutboxBatch[]>();

/**
 * The batches of an Outbox, in the order of their nonces. They are one text in it: kube-apiserver works through each
 * member of an object at each write, and a lane with a hundred batches would cost it seven times as much.
 */
export function batchesOf(object: OutboxResource | undefined): readonly OutboxBatch[] {
  const text = object?.spec.batches;
  if (!object || !text) return [];
  const batches = known.get(object) ?? batchesSchema.parse(JSON.parse(text));
  known.set(object, batches);
  return batches;
}

/** Batches as an Outbox keeps them. */
export function packBatches(batches: readonly OutboxBatch[]): string {
  return JSON.stringify(batches);
}
