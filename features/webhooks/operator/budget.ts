import type { Missing, Webhook, WebhookDeps } from './deps.ts';
import { inOrder, pendingIn, type QueuedBatch, type Queues, sizeOf, type WebhookQueue } from './queues.ts';
import { removeBatch } from './removeBatch.ts';

const mib = 1024 * 1024;

/** Keeps what is stored for webhooks within their budgets. */
export interface Budget {
  /** Deletes the oldest batches of a webhook that no longer fit; `tell` first reports what of them was not delivered. */
  makeRoom(webhook: Webhook, tell: (missing: Missing) => Promise<void>): Promise<void>;
  /** Deletes the log of what is settled, because the workspace has no room for more. */
  dropLog(webhook: Webhook): Promise<void>;
}

type Deps = Pick<WebhookDeps, 'kube' | 'deliveries' | 'metrics'>;

export function createBudget(deps: Deps, queues: Queues): Budget {
  const { queueMiB, workspaceQueueMiB } = deps.deliveries;

  /** What the queue may have: of a workspace that is over its budget, an equal share. */
  function limitOf({ namespace }: WebhookQueue): number {
    const together = [...queues.list()].filter((queue) => queue.namespace === namespace);
    const used = together.reduce((sum, queue) => sum + usedBy(queue), 0);
    const share = (workspaceQueueMiB * mib) / together.length;
    return used > workspaceQueueMiB * mib ? Math.min(queueMiB * mib, share) : queueMiB * mib;
  }

  return {
    async makeRoom(webhook, tell) {
      const queue = queues.of(webhook);
      const excess = usedBy(queue) - limitOf(queue);
      const outgoing = excess > 0 ? oldest(queue, excess) : [];
      const counted = [...queue.batches.values()].reduce(
        (most, { gap }) => Math.max(most, gap?.through ?? 0),
        0,
      );
      // Those that a gap counts already were to be deleted when the process ended.
      const lost = outgoing.filter(({ sequence, trigger }) => trigger === 'event' && sequence > counted);
      const dropped = lost.reduce((sum, batch) => sum + pendingIn(batch), 0);
      const through = lost.reduce((most, { sequence }) => Math.max(most, sequence), counted);
      if (dropped > 0) await tell({ reason: 'BudgetExceeded', dropped, through });
      for (const batch of outgoing) await removeBatch(deps.kube, queues, batch);
      if (dropped > 0) deps.metrics.dropped('BudgetExceeded', dropped);
    },
    async dropLog(webhook) {
      const settled = inOrder(queues.of(webhook)).filter((batch) => pendingIn(batch) === 0);
      for (const batch of settled) await removeBatch(deps.kube, queues, batch);
    },
  };
}

function usedBy({ batches }: WebhookQueue): number {
  return [...batches.values()].reduce((sum, batch) => sum + sizeOf(batch), 0);
}

/** Batches to delete: first the log of what is settled, then what waits, each from the oldest on, never an open gap. */
function oldest(queue: WebhookQueue, excess: number): QueuedBatch[] {
  const all = inOrder(queue).filter((batch) => !batch.gap || pendingIn(batch) === 0);
  const settled = all.filter((batch) => pendingIn(batch) === 0);
  const open = all.filter((batch) => pendingIn(batch) > 0);
  const chosen: QueuedBatch[] = [];
  let left = excess;
  for (const batch of [...settled, ...open]) {
    if (left <= 0) break;
    chosen.push(batch);
    left -= sizeOf(batch);
  }
  return chosen;
}
