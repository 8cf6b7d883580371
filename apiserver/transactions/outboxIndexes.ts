import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import type { Indexes } from '../../core/kube/cache/store.ts';
import { flatMapBatches } from '../../core/outbox/batches.ts';
import { hashesIn } from '../../core/outbox/packedTransactions.ts';

/** By namespace, and by the hash of each transaction in an object. */
export const outboxIndexes: Indexes<OutboxResource> = {
  namespace: ({ metadata }) => [metadata.namespace],
  hash: (object) => flatMapBatches(object, hashesIn),
};
