import type { Kube } from '../../../core/kube/kube.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import { webhookBatchType } from '../api/types.ts';
import { bodiesOf } from '../core/batches.ts';
import type { QueuedBatch } from './queues.ts';

/** Batches whose bodies are kept: a batch is mostly sent at once. */
const keptBatches = 64;

/** The bodies of a batch, which the cache leaves out; undefined if the batch is gone. */
export type ReadBodies = (batch: QueuedBatch) => Promise<string[] | undefined>;

export function createReadBodies(kube: Pick<Kube, 'get'>): ReadBodies {
  const known = createBoundedMap<string, Promise<string[] | undefined>>(keptBatches);
  return (batch) => {
    const { namespace, name, uid } = batch;
    const read = async () => {
      const object = await kube.get(webhookBatchType, { namespace, name });
      return object?.metadata.uid === uid ? bodiesOf(object) : undefined;
    };
    const bodies = known.get(uid) ?? read();
    known.set(uid, bodies);
    bodies.catch(() => known.delete(uid));
    return bodies;
  };
}
