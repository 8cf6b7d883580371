import { idOf } from '../../../core/api/ids.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { createExclusive } from '../../../core/lib/work/exclusive.ts';
import { isStorageRefusal } from '../../../core/storage/ledger.ts';
import { maxBatchDeliveries } from '../api/batch.ts';
import { webhookBatchType } from '../api/types.ts';
import { type BatchContent, newBatch, type QueuedEvent } from '../core/batches.ts';
import { queueOwnEvent } from '../core/ownEvents.ts';
import { createBudget } from './budget.ts';
import type { Missing, Webhook, WebhookDeps } from './deps.ts';
import { pendingIn, type Queues, type WebhookQueue } from './queues.ts';
import { removeBatch } from './removeBatch.ts';

/** Stores events for webhooks. One call at a time for each webhook. */
export interface Enqueue {
  /** Stores the events that are not stored yet, and makes room for them. Rejects when the cluster cannot be reached. */
  events(webhook: Webhook, events: readonly QueuedEvent[]): Promise<void>;
  /** Tells the receiver that events are missing. One gap stands for all that it has not heard of. */
  gap(webhook: Webhook, missing: Missing): Promise<void>;
}

type Deps = Pick<WebhookDeps, 'kube' | 'caches' | 'clock' | 'deliveries' | 'metrics' | 'workspaceOf'>;

export function createEnqueue(deps: Deps, queues: Queues): Enqueue {
  const exclusive = createExclusive();
  const budget = createBudget(deps, queues);

  async function addEvents(webhook: Webhook, events: readonly QueuedEvent[]): Promise<void> {
    const queue = queues.of(webhook);
    for (;;) {
      const fresh = events.filter(({ id }) => !queue.knownIds.has(id));
      if (fresh.length === 0) break;
      const tooLarge = await addSome(deps, { webhook, queue, queues }, fresh).catch((error: unknown) => {
        if (!isStorageRefusal(error)) throw error;
        return 'noRoom' as const;
      });
      if (tooLarge === 'noRoom') return drop(webhook, fresh.length);
      if (!tooLarge) continue;
      queue.knownIds.add(tooLarge.id);
      await addGap(webhook, { reason: 'BudgetExceeded', dropped: 1 });
    }
    await budget.makeRoom(webhook, (missing) => addGap(webhook, missing));
  }

  /** The workspace has no room for events: the receiver is told how many it does not get. */
  async function drop(webhook: Webhook, dropped: number): Promise<void> {
    await budget.dropLog(webhook);
    await addGap(webhook, { reason: 'BudgetExceeded', dropped });
    deps.metrics.dropped('BudgetExceeded', dropped);
  }

  async function addGap(webhook: Webhook, { reason, dropped, through = 0 }: Missing): Promise<void> {
    const queue = queues.of(webhook);
    const open = [...queue.batches.values()].filter((batch) => batch.gap && pendingIn(batch) > 0);
    const sum = open.reduce((total, { gap }) => total + (gap?.dropped ?? 0), dropped);
    const reached = open.reduce((most, { gap }) => Math.max(most, gap?.through ?? 0), through);
    const gap = { reason, dropped: sum, through: reached };
    const sequence = nextSequence(queue, deps.clock.nowMs());
    const event = gapEvent(deps, webhook, { sequence, gap });
    await store(
      deps,
      { webhook, queue, queues },
      { suffix: `g${sequence}`, trigger: 'gap', sequence, gap, events: [event] },
    );
    for (const batch of open) await removeBatch(deps.kube, queues, batch);
  }

  return {
    events: (webhook, events) => exclusive(webhook.metadata.uid, () => addEvents(webhook, events)),
    gap: (webhook, missing) => exclusive(webhook.metadata.uid, () => addGap(webhook, missing)),
  };
}

interface Place {
  webhook: Webhook;
  queue: WebhookQueue;
  queues: Queues;
}

/** Stores the first of the events, as many as fit into a batch; the event if even that alone does not. */
async function addSome(
  deps: Deps,
  place: Place,
  events: readonly QueuedEvent[],
): Promise<QueuedEvent | undefined> {
  const { queue } = place;
  for (let count = Math.min(events.length, maxBatchDeliveries); ; count = Math.ceil(count / 2)) {
    const sequence = nextSequence(queue, deps.clock.nowMs());
    const some = events.slice(0, count);
    try {
      await store(deps, place, { suffix: String(sequence), trigger: 'event', sequence, events: some });
      deps.metrics.queued(count);
      return undefined;
    } catch (error) {
      if (!isAppError(error, 'TooLarge')) throw error;
      if (count === 1) return some[0];
    }
  }
}

/** Creates a batch. One that has its name was created by an attempt whose answer was lost: it is taken over. */
async function store(deps: Deps, { webhook, queue, queues }: Place, content: BatchContent): Promise<void> {
  const object = await newBatch(webhook, content);
  const { object: stored } = await createOrFind(deps.kube, webhookBatchType, object);
  deps.caches.batches.observe(stored);
  queues.load(queue, stored);
}

/** Above all that exist, and in general above those that were deleted: ids of deliveries are not used again. */
function nextSequence({ batches }: WebhookQueue, nowMs: number): number {
  return [...batches.values()].reduce(
    (most, { sequence }) => Math.max(most, sequence + 1),
    Math.floor(nowMs),
  );
}

function gapEvent(
  { clock, workspaceOf }: Deps,
  webhook: Webhook,
  { sequence, gap: { reason, dropped } }: { sequence: number; gap: Missing },
): QueuedEvent {
  const count = reason === 'HistoryLost' ? {} : { dropped };
  return queueOwnEvent({
    id: `evt_gap_${idOf(webhook)}_${sequence}`,
    type: 'webhook.gap',
    createdAt: toRfc3339(clock.nowMs()),
    workspace: workspaceOf(webhook.metadata.namespace),
    object: { kind: 'WebhookGap', version: 'v1alpha', reason, ...count },
  });
}
