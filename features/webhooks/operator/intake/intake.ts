import type { Position } from '../../../../core/events/log/eventLog.ts';
import { later } from '../../../../core/events/log/segment.ts';
import { parseVersion, versionOf } from '../../../../core/kube/objects.ts';
import { messageOf } from '../../../../core/lib/errors.ts';
import { recordOf } from '../../../../core/lib/typed.ts';
import { whenAborted } from '../../../../core/lib/work/whenAborted.ts';
import { webhookType } from '../../api/types.ts';
import type { Webhook, WebhookDeps } from '../deps.ts';
import type { Enqueue } from '../enqueue.ts';
import { hasOwnPosition } from './ownPosition.ts';
import { createReader, type Reader } from './reader.ts';

/** Reads what happens in the cluster and queues it for the webhooks that want it. */
export interface Intake {
  run(signal: AbortSignal): Promise<void>;
}

/** How often the position is stored. After a restart, what is read twice is not queued twice. */
const cursorMs = 20_000;

export function createIntake(deps: WebhookDeps, enqueue: Enqueue): Intake {
  return {
    async run(signal) {
      const readers = createReaders(deps, enqueue, signal);
      const unlisten = deps.caches.webhooks.onChange(readers.look);
      readers.look();
      const stopCursor = keepCursor(deps, readers.positions);
      await whenAborted(signal);
      unlisten();
      stopCursor();
      await readers.ended();
    },
  };
}

interface Running extends Reader {
  stop: AbortController;
  hasEnded: Promise<void>;
}

/** A reader for each webhook. The log keeps changes while there is one. */
function createReaders(deps: WebhookDeps, enqueue: Enqueue, signal: AbortSignal) {
  const { caches, eventLog } = deps;
  const running = new Map<string, Running>();
  let close: (() => void) | undefined;

  function begin(webhook: Webhook): void {
    close ??= eventLog.open();
    const { from, isGap } = beginningOf(webhook, caches.webhooks.list());
    const position = { revisions: recordOf(eventLog.names.map((name) => [name, from] as const)) };
    const reader = createReader(deps, enqueue, { webhook, position, isGap });
    const stop = new AbortController();
    const hasEnded = reader.run(AbortSignal.any([signal, stop.signal]));
    running.set(webhook.metadata.uid, { ...reader, stop, hasEnded });
  }

  function end(uid: string, { stop }: Running): void {
    stop.abort();
    running.delete(uid);
    if (running.size > 0) return;
    close?.();
    close = undefined;
  }

  return {
    /** Begins and ends readers. */
    look(): void {
      for (const [uid, reader] of running) {
        if (caches.webhooks.byIndex('uid', uid).length === 0) end(uid, reader);
      }
      for (const webhook of caches.webhooks.list()) {
        if (!running.has(webhook.metadata.uid)) begin(webhook);
      }
    },
    positions: () => [...running.values()].flatMap((reader) => reader.position() ?? []),
    async ended() {
      const all = [...running];
      for (const [uid, reader] of all) end(uid, reader);
      await Promise.all(all.map(([, { hasEnded }]) => hasEnded));
    },
  };
}

const earlier = (one: bigint, other: bigint) => (one < other ? one : other);

/**
 * Where a webhook begins: after the newest stored position, which is that of all, or else after it was created. A restored one begins
 * where it is, after a gap.
 */
function beginningOf(webhook: Webhook, webhooks: readonly Webhook[]): { from: bigint; isGap: boolean } {
  if (!hasOwnPosition(webhook)) return { from: versionOf(webhook), isGap: true };
  const since = parseVersion(webhook.status?.since ?? webhook.metadata.resourceVersion);
  const cursors = webhooks
    .filter(hasOwnPosition)
    .map((one) => [parseVersion(one.status?.cursor ?? ''), versionOf(one)] as const);
  const valid = cursors.flatMap(([cursor, version]) => (cursor < version ? [cursor] : []));
  return { from: valid.reduce(later, since), isGap: false };
}

/** Stores the position in one webhook from time to time: it is that of all, so the webhook must have a position of its own. */
function keepCursor({ kube, caches, clock, log }: WebhookDeps, positions: () => Position[]): () => void {
  let cancel = clock.after(cursorMs, () => void write());
  let isStopped = false;
  async function write(): Promise<void> {
    const able = caches.webhooks.list().filter(hasOwnPosition);
    const [carrier] = able.sort((a, b) => (a.metadata.uid < b.metadata.uid ? -1 : 1));
    // A webhook that is not known yet begins after what its cache has seen.
    const version = positions()
      .flatMap(({ revisions }) => Object.values(revisions))
      .reduce(earlier, caches.webhooks.seenVersion());
    if (carrier && String(version) !== carrier.status?.cursor) {
      const { uid, namespace, name } = carrier.metadata;
      const body = { metadata: { uid }, status: { cursor: String(version) } };
      await kube.patch(webhookType, { namespace, name }, body, 'status').then(
        (written) => caches.webhooks.observe(written),
        (error: unknown) => log.debug('the position is not stored', { error: messageOf(error) }),
      );
    }
    if (!isStopped) cancel = clock.after(cursorMs, () => void write());
  }
  return () => {
    isStopped = true;
    cancel();
  };
}
