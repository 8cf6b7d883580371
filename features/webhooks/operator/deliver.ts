import { toRfc3339 } from '../../../core/lib/clock.ts';
import { type DeliveryAttempt, type DeliveryStatus, maxLoggedAttempts } from '../api/batch.ts';
import { attempt, type Outcome } from './attempt.ts';
import type { ReadBodies } from './bodies.ts';
import type { Webhook, WebhookDeps } from './deps.ts';
import type { Enqueue } from './enqueue.ts';
import type { Pending } from './lane.ts';
import type { Outcomes } from './outcomes.ts';
import type { QueuedBatch, Queues, WebhookQueue } from './queues.ts';
import { keptMs, retryDelayMs } from './retry.ts';

export interface DeliverParts {
  queues: Queues;
  enqueue: Enqueue;
  outcomes: Outcomes;
  readBodies: ReadBodies;
  /** The webhook of a queue, if anything may be sent to it now. */
  openWebhook(queue: WebhookQueue): Webhook | undefined;
  /** The standing of a webhook changed, or only its numbers. */
  changed(uid: string, isUrgent: boolean): void;
}

/** Makes one attempt at a delivery that was taken from its lane, and gives it back or settles it. */
type Deliver = (queue: WebhookQueue, pending: Pending) => Promise<void>;

/** A delivery that waited for longer than it is kept, such as during a pause, is not tried any more. */
const graceMs = 60_000;
/** After an outage of this length, a success makes everything that waits due at once. */
const outageMs = 60_000;
const readAgainMs = 2_000;

export function createDeliver(deps: WebhookDeps, parts: DeliverParts): Deliver {
  const { clock } = deps;
  return async (queue, pending) => {
    const batch = queue.batches.get(pending.batch);
    const entry = batch?.entries[pending.index];
    if (!batch || !entry) return queue.lane.settle(pending);
    const found = { queue, pending, batch };
    if (isExpired(found, clock.nowMs() - graceMs)) return expire(deps, parts, found);
    const webhook = parts.openWebhook(queue);
    const bodies = await parts.readBodies(batch).catch(() => 'unreadable' as const);
    if (bodies === 'unreadable' || !webhook) return postpone(deps, found);
    const body = bodies?.[pending.index];
    if (body === undefined) {
      parts.queues.unload(queue, pending.batch);
      return queue.lane.settle(pending);
    }
    const outcome = await attempt(deps, webhook, { id: entry.id, body });
    deps.metrics.attempted(outcome.isDelivered ? 'delivered' : 'failed', outcome.entry.durationMs);
    if (outcome.isDelivered) return delivered(deps, parts, { ...found, entry: outcome.entry });
    await failed(deps, parts, { ...found, outcome });
  };
}

interface Found {
  queue: WebhookQueue;
  pending: Pending;
  batch: QueuedBatch;
}

/** Nothing was sent, and it does not count as an attempt. */
function postpone({ clock }: Pick<WebhookDeps, 'clock'>, { queue, pending }: Found): void {
  pending.dueMs = clock.nowMs() + readAgainMs;
  queue.lane.retry(pending);
}

function delivered(
  { clock }: WebhookDeps,
  parts: DeliverParts,
  { entry, ...found }: Found & { entry: DeliveryAttempt },
): void {
  const { queue, pending } = found;
  const nowMs = clock.nowMs();
  const { failingSinceMs } = queue;
  if (failingSinceMs !== undefined && nowMs - failingSinceMs >= outageMs) queue.lane.hurry(nowMs);
  queue.failingSinceMs = undefined;
  queue.lastDeliveredMs = nowMs;
  record(parts, found, { ...tried(pending, entry), state: 'delivered' });
  queue.lane.settle(pending);
  parts.changed(queue.uid, failingSinceMs !== undefined);
}

async function failed(
  deps: WebhookDeps,
  parts: DeliverParts,
  { outcome, ...found }: Found & { outcome: Outcome },
): Promise<void> {
  const { queue, pending } = found;
  const nowMs = deps.clock.nowMs();
  const isFirst = queue.failingSinceMs === undefined;
  queue.failingSinceMs ??= nowMs;
  if (outcome.isGone) queue.verdict = 'Gone';
  else if (nowMs - queue.failingSinceMs >= keptMs) queue.verdict = 'Failing';
  if (outcome.askedMs > 0) queue.notBeforeMs = nowMs + outcome.askedMs;
  pending.status = tried(pending, outcome.entry);
  parts.changed(queue.uid, isFirst || queue.verdict !== undefined);
  if (isExpired(found, nowMs)) return expire(deps, parts, found);
  const delayMs = Math.max(retryDelayMs(pending.status.attempts, deps.random), outcome.askedMs);
  const lastMs = found.batch.gap ? Number.POSITIVE_INFINITY : pending.queuedMs + keptMs;
  pending.dueMs = Math.max(nowMs + 1, Math.min(nowMs + delayMs, lastMs));
  record(parts, found, { ...pending.status, nextAttemptAt: toRfc3339(pending.dueMs) });
  queue.lane.retry(pending);
}

/** Gives a delivery up. That it is missing is stored first, so that the receiver gets to know it in any case. */
async function expire(deps: WebhookDeps, parts: DeliverParts, found: Found): Promise<void> {
  const { queue, pending, batch } = found;
  const [webhook] = deps.caches.webhooks.byIndex('uid', queue.uid);
  try {
    // A test or a resend is not an event that the receiver misses.
    const isMissed = webhook !== undefined && batch.trigger === 'event';
    if (isMissed) await parts.enqueue.gap(webhook, { reason: 'Expired', dropped: 1 });
  } catch {
    return postpone(deps, found);
  }
  deps.metrics.dropped('Expired', 1);
  const { nextAttemptAt: _, ...status } = pending.status;
  record(parts, found, { ...status, state: 'failed' });
  queue.lane.settle(pending);
  parts.changed(queue.uid, false);
}

function record({ outcomes }: DeliverParts, { pending, batch }: Found, status: DeliveryStatus): void {
  pending.status = status;
  batch.deliveries[pending.index] = status;
  outcomes.report(batch);
}

/** A gap is kept until the receiver has heard of it. */
function isExpired({ pending, batch }: Found, nowMs: number): boolean {
  return batch.gap === undefined && nowMs >= pending.queuedMs + keptMs;
}

function tried({ status }: Pending, entry: DeliveryAttempt): DeliveryStatus {
  const { nextAttemptAt: _, ...rest } = status;
  return { ...rest, attempts: status.attempts + 1, log: [...status.log, entry].slice(-maxLoggedAttempts) };
}
