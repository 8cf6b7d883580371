import { idKey, idOf } from '../../../core/api/ids.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { DeliveryStatus, WebhookBatchSpec } from '../api/batch.ts';
import { deliveriesIn } from '../core/batches.ts';
import type { Batch, Webhook } from './deps.ts';
import { createLane, type Lane } from './lane.ts';

/** A stored batch as far as it is kept in memory; `deliveries` is ahead of what is stored. */
export interface QueuedBatch extends Omit<WebhookBatchSpec, 'data' | 'webhook'> {
  namespace: string;
  name: string;
  uid: string;
  queuedMs: number;
  deliveries: DeliveryStatus[];
}

/** What is queued for one webhook, and how its receiver has done. */
export interface WebhookQueue {
  uid: string;
  /** When this process saw it first. */
  sinceMs?: number;
  id: string;
  namespace: string;
  lane: Lane;
  batches: Map<string, QueuedBatch>;
  /** Ids of the events in its batches: an event that is read again after a restart is not queued again. */
  knownIds: Set<string>;
  /** Attempts under way. */
  underWay: number;
  /** Since when every attempt failed. */
  failingSinceMs?: number | undefined;
  lastDeliveredMs?: number | undefined;
  /** Nothing is sent before this time. */
  notBeforeMs: number;
  /** Nothing is sent until it is resumed. */
  verdict?: 'Gone' | 'Failing' | undefined;
}

/** The queues of all webhooks, for one term of leadership. */
export interface Queues {
  of(webhook: Webhook): WebhookQueue;
  list(): Iterable<WebhookQueue>;
  byUid(uid: string): WebhookQueue | undefined;
  /** The queue that a batch belongs to. */
  holding(batch: { namespace: string; webhookID: string }): WebhookQueue | undefined;
  /** Adds a batch that is not known yet. */
  load(queue: WebhookQueue, batch: Batch): void;
  unload(queue: WebhookQueue, name: string): void;
  forget(uid: string): void;
}

export function createQueues(): Queues {
  const queues = new Map<string, WebhookQueue>();
  const byId = new Map<string, WebhookQueue>();
  return {
    of(webhook) {
      const { uid } = webhook.metadata;
      const known = queues.get(uid);
      const queue = known?.id === idOf(webhook) ? known : newQueue(webhook);
      queues.set(uid, queue);
      byId.set(idKey(queue.namespace, queue.id), queue);
      return queue;
    },
    list: () => queues.values(),
    byUid: (uid) => queues.get(uid),
    holding: ({ namespace, webhookID }) => byId.get(idKey(namespace, webhookID)),
    load,
    unload(queue, name) {
      const batch = queue.batches.get(name);
      if (!batch) return;
      queue.batches.delete(name);
      queue.lane.drop(name);
      if (batch.trigger === 'event') for (const { id } of batch.entries) queue.knownIds.delete(id);
    },
    forget(uid) {
      const queue = queues.get(uid);
      queues.delete(uid);
      if (queue && byId.get(idKey(queue.namespace, queue.id)) === queue)
        byId.delete(idKey(queue.namespace, queue.id));
    },
  };
}

function newQueue(webhook: Webhook): WebhookQueue {
  const { metadata, status = {} } = webhook;
  const { uid, namespace } = metadata;
  return {
    uid,
    id: idOf(webhook),
    namespace,
    lane: createLane(),
    batches: new Map(),
    knownIds: new Set<string>(),
    underWay: 0,
    notBeforeMs: 0,
    ...compact({
      failingSinceMs: parseRfc3339(status.failingSince),
      lastDeliveredMs: parseRfc3339(status.lastDeliveredAt),
    }),
  };
}

function load(queue: WebhookQueue, object: Batch): void {
  const { metadata, spec } = object;
  const { name } = metadata;
  if (queue.batches.has(name) || spec.webhookID !== queue.id) return;
  const queuedMs = parseRfc3339(metadata.creationTimestamp) ?? 0;
  const { data: _data, webhook: _webhook, ...content } = spec;
  const { entries, trigger } = content;
  const deliveries = deliveriesIn(object);
  const { namespace, uid } = metadata;
  queue.batches.set(name, { ...content, namespace, name, uid, queuedMs, deliveries });
  for (const [index, { id, key }] of entries.entries()) {
    const status = deliveries[index];
    if (trigger === 'event') queue.knownIds.add(id);
    if (status?.state !== 'pending') continue;
    const dueMs = parseRfc3339(status.nextAttemptAt) ?? queuedMs;
    queue.lane.add({ batch: name, index, key, queuedMs, status, dueMs });
  }
}

/** Batches in the order in which they were queued. */
export function inOrder(queue: WebhookQueue): QueuedBatch[] {
  return [...queue.batches.values()].sort(
    (one, other) => one.queuedMs - other.queuedMs || one.sequence - other.sequence,
  );
}

/** What a batch occupies: its data, its head, and the log of its attempts. */
export function sizeOf({
  bytes,
  entries,
  deliveries,
}: Pick<QueuedBatch, 'bytes' | 'entries' | 'deliveries'>): number {
  const logged = deliveries.reduce((sum, { log }) => sum + log.length, 0);
  return bytes + 2048 + entries.length * 256 + logged * 256;
}

export function pendingIn({ deliveries }: QueuedBatch): number {
  return deliveries.filter(({ state }) => state === 'pending').length;
}
