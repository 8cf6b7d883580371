import type { OutboxResource } from '../../core/api/outbox.ts';
import type { Indexes } from '../../core/kube/store.ts';
import { batchesOf } from '../../core/transactions/batches.ts';
import { hashesIn } from '../../core/transactions/outboxObjects.ts';

/** By namespace, and by the hash of each transaction that an object holds. */
export const outboxIndexes: Indexes<OutboxResource> = {
  namespace: ({ metadata }) => [metadata.namespace ?? ''],
  hash: hashesOf,
};

/** An object that somebody has spoilt by hand is found by no hash; the others are. */
function hashesOf(object: OutboxResource): string[] {
  try {
    return batchesOf(object).flatMap(hashesIn);
  } catch {
    return [];
  }
}
