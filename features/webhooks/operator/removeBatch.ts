import type { Kube } from '../../../core/kube/kube.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { webhookBatchType } from '../api/types.ts';
import type { QueuedBatch, Queues } from './queues.ts';

/** Deletes a batch with what is queued in it. */
export async function removeBatch(
  kube: Pick<Kube, 'delete'>,
  queues: Queues,
  { namespace, name, uid, webhookID }: QueuedBatch,
): Promise<void> {
  await kube.delete(webhookBatchType, { namespace, name }, { uid }).catch((error: unknown) => {
    // It is gone already, and another one has its name.
    if (!isAppError(error, 'Conflict')) throw error;
  });
  const queue = queues.holding({ namespace, webhookID });
  if (queue) queues.unload(queue, name);
}
