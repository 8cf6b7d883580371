import {
  type DeliveryAttempt,
  type DeliveryStatus,
  maxLoggedAttempts,
} from '../../core/api/resources/webhookBatch.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import { attempt, type Outcome } from './attempt.ts';
import type { ReadBodies } from './bodies.ts';
import type { Webhook, WebhookDeps } from './deps.ts';
import type { Enqueue } from './enqueue.ts';
import type { Pending } from './lane.ts';
import type { Outcomes } from './outcomes.ts';
import type { Queues, WebhookQueue } from './queues.ts';
import { keptMs, retryDelayMs } from './retry.ts';
import { createShares } from './shares.ts';

/** Sends what is due. */
export interface Sender {
  /** Something is, or may be, due. */
  pump(): void;
  run(signal: AbortSignal): Promise<void>;
}

export interface SenderParts {
  queues: Queues;
  enqueue: Enqueue;
  outcomes: Outcomes;
  readBodies: ReadBodies;
  /** The webhook of a queue, if anything may be sent to it now. */
  openWebhook(queue: WebhookQueue): Webhook | undefined;
  /** The standing of a webhook changed, or only its numbers. */
  changed(uid: string, isUrgent: boolean): void;
}

/** A delivery that waited for longer than it is kept, such as during a pause, is tried for this long at most. */
const graceMs = 60_000;
/** After an outage of this length, a success makes everything that waits due at once. */
const outageMs = 60_000;
const readAgainMs = 2_000;

export function createSender(deps: WebhookDeps, parts: SenderParts): Sender {
  const { clock, log } = deps;
  const { queues, outcomes } = parts;
  const shares = createShares(deps.deliveries.concurrent);
  const underWay = new Set<Promise<void>>();
  let isStopped = true;
  let cancel: (() => void) | undefined;

  function pump(): void {
    if (isStopped) return;
    const nowMs = clock.nowMs();
    for (;;) {
      const queue = shares.choose(queues.list(), (one) => isDue(one, nowMs));
      const pending = queue?.lane.take(nowMs);
      if (!queue || !pending) break;
      const end = shares.begin(queue);
      const work = deliver(queue, pending)
        .catch((error: unknown) => log.error('a delivery failed unexpectedly', { error: messageOf(error) }))
        .finally(() => {
          end();
          underWay.delete(work);
          pump();
        });
      underWay.add(work);
    }
    cancel?.();
    cancel = wakeAt(nowMs);
  }

  function isDue(queue: WebhookQueue, nowMs: number): boolean {
    const isOpen = queue.verdict === undefined && queue.notBeforeMs <= nowMs;
    return isOpen && queue.lane.hasDue(nowMs) && parts.openWebhook(queue) !== undefined;
  }

  function wakeAt(nowMs: number): (() => void) | undefined {
    const times = [...queues.list()].flatMap(({ lane, notBeforeMs }) => {
      const dueMs = lane.hasDue(nowMs) ? nowMs : lane.nextDueMs();
      return dueMs === undefined ? [] : [Math.max(dueMs, notBeforeMs)];
    });
    // What is due already waits for a share or for its webhook: either calls `pump`.
    const later = times.filter((timeMs) => timeMs > nowMs);
    if (later.length === 0) return undefined;
    return clock.after(later.reduce((least, timeMs) => Math.min(least, timeMs)) - nowMs, pump);
  }

  async function deliver(queue: WebhookQueue, pending: Pending): Promise<void> {
    const webhook = parts.openWebhook(queue);
    const batch = queue.batches.get(pending.batch);
    const entry = batch?.entries[pending.index];
    if (!batch || !entry) return queue.lane.settle(pending);
    if (isExpired(pending, clock.nowMs() - graceMs)) return expire(queue, pending);
    const bodies = await parts.readBodies(batch).catch(() => 'unreadable' as const);
    if (bodies === 'unreadable' || !webhook) {
      pending.dueMs = clock.nowMs() + readAgainMs;
      return queue.lane.retry(pending);
    }
    const body = bodies?.[pending.index];
    if (body === undefined) {
      queues.unload(queue, pending.batch);
      return queue.lane.settle(pending);
    }
    const outcome = await attempt(deps, webhook, { id: entry.id, body });
    deps.metrics.attempted(outcome.isDelivered ? 'delivered' : 'failed', outcome.entry.durationMs);
    if (outcome.isDelivered) delivered(queue, pending, outcome.entry);
    else await failed(queue, pending, outcome);
  }

  function delivered(queue: WebhookQueue, pending: Pending, entry: DeliveryAttempt): void {
    const nowMs = clock.nowMs();
    const { failingSinceMs } = queue;
    if (failingSinceMs !== undefined && nowMs - failingSinceMs >= outageMs) queue.lane.hurry(nowMs);
    queue.failingSinceMs = undefined;
    queue.lastDeliveredMs = nowMs;
    record(queue, pending, { ...tried(pending, entry), state: 'delivered' });
    queue.lane.settle(pending);
    parts.changed(queue.uid, failingSinceMs !== undefined);
  }

  async function failed(queue: WebhookQueue, pending: Pending, outcome: Outcome): Promise<void> {
    const nowMs = clock.nowMs();
    const isFirst = queue.failingSinceMs === undefined;
    queue.failingSinceMs ??= nowMs;
    if (outcome.isGone) queue.verdict = 'Gone';
    else if (nowMs - queue.failingSinceMs >= keptMs) queue.verdict = 'Failing';
    const status = tried(pending, outcome.entry);
    pending.status = status;
    if (outcome.askedMs > 0) queue.notBeforeMs = nowMs + outcome.askedMs;
    parts.changed(queue.uid, isFirst || queue.verdict !== undefined);
    if (isExpired(pending, nowMs)) return expire(queue, pending);
    const delayMs = Math.max(retryDelayMs(status.attempts, deps.random), outcome.askedMs);
    const lastMs = isKept(pending) ? Number.POSITIVE_INFINITY : pending.queuedMs + keptMs;
    pending.dueMs = Math.max(nowMs + 1, Math.min(nowMs + delayMs, lastMs));
    record(queue, pending, { ...status, nextAttemptAt: toRfc3339(pending.dueMs) });
    queue.lane.retry(pending);
  }

  /** Gives a delivery up. That it is missing is stored first, so that the receiver gets to know it in any case. */
  async function expire(queue: WebhookQueue, pending: Pending): Promise<void> {
    const [webhook] = deps.caches.webhooks.byIndex('uid', queue.uid);
    const isTold = await tell(webhook).catch(() => false);
    if (!isTold) {
      pending.dueMs = clock.nowMs() + readAgainMs;
      return queue.lane.retry(pending);
    }
    deps.metrics.dropped('Expired', 1);
    const { nextAttemptAt: _, ...status } = pending.status;
    record(queue, pending, { ...status, state: 'failed' });
    queue.lane.settle(pending);
    parts.changed(queue.uid, false);
  }

  async function tell(webhook: Webhook | undefined): Promise<boolean> {
    if (webhook) await parts.enqueue.gap(webhook, { reason: 'Expired', dropped: 1 });
    return true;
  }

  function record(queue: WebhookQueue, pending: Pending, status: DeliveryStatus): void {
    pending.status = status;
    const batch = queue.batches.get(pending.batch);
    if (!batch) return;
    batch.deliveries[pending.index] = status;
    outcomes.report(batch);
  }

  function isKept({ batch }: Pending): boolean {
    return /-g\d+$/.test(batch);
  }

  function isExpired(pending: Pending, nowMs: number): boolean {
    return !isKept(pending) && nowMs >= pending.queuedMs + keptMs;
  }

  return {
    pump,
    async run(signal) {
      isStopped = false;
      pump();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      isStopped = true;
      cancel?.();
      await Promise.all(underWay);
      await outcomes.flush();
    },
  };
}

function tried({ status }: Pending, entry: DeliveryAttempt): DeliveryStatus {
  const { nextAttemptAt: _, ...rest } = status;
  return { ...rest, attempts: status.attempts + 1, log: [...status.log, entry].slice(-maxLoggedAttempts) };
}
