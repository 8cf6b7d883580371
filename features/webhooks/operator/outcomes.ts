import { isAppError, messageOf } from '../../../core/lib/errors.ts';
import { createExclusive } from '../../../core/lib/work/exclusive.ts';
import { webhookBatchType } from '../api/types.ts';
import type { WebhookDeps } from './deps.ts';
import { pendingIn, type QueuedBatch } from './queues.ts';

/** Writes what became of deliveries; outcomes of the same batch share a write. */
export interface Outcomes {
  /** What memory has of the batch is to be stored. */
  report(batch: QueuedBatch): void;
  /** Resolves when everything reported is stored, or has failed. */
  flush(): Promise<void>;
}

/** Outcomes that come within this time are written together. */
const collectMs = 250;
const retryMs = 2_000;

export function createOutcomes({ kube, clock, log }: Pick<WebhookDeps, 'kube' | 'clock' | 'log'>): Outcomes {
  const waiting = new Map<string, QueuedBatch>();
  const writing = new Set<Promise<void>>();
  const exclusive = createExclusive();
  let cancel: (() => void) | undefined;

  function schedule(delayMs: number): void {
    cancel ??= clock.after(delayMs, begin);
  }

  function begin(): void {
    cancel?.();
    cancel = undefined;
    for (const batch of waiting.values()) {
      // Of two writes at the same time, the earlier one could arrive last.
      const write = exclusive(batch.uid, () => writeOne(batch)).finally(() => writing.delete(write));
      writing.add(write);
    }
    waiting.clear();
  }

  async function writeOne(batch: QueuedBatch): Promise<void> {
    const { namespace, name, uid } = batch;
    const deliveries = batch.deliveries.filter(({ attempts, state }) => attempts > 0 || state !== 'pending');
    const body = { metadata: { uid }, status: { pending: pendingIn(batch), deliveries } };
    try {
      await kube.patch(webhookBatchType, { namespace, name }, body, 'status');
    } catch (error) {
      // It was deleted meanwhile, or replaced by another one.
      if (isAppError(error, 'NotFound') || isAppError(error, 'Conflict')) return;
      log.debug('the outcome of deliveries is not stored yet', { batch: name, error: messageOf(error) });
      waiting.set(name, batch);
      schedule(retryMs);
    }
  }

  return {
    report(batch) {
      waiting.set(batch.name, batch);
      schedule(collectMs);
    },
    async flush() {
      begin();
      await Promise.all(writing);
    },
  };
}
