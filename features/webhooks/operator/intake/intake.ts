import type { Position } from '../../../../core/events/log/eventLog.ts';
import { parseVersion, versionOf } from '../../../../core/kube/objects.ts';
import { messageOf } from '../../../../core/lib/errors.ts';
import { recordOf } from '../../../../core/lib/typed.ts';
import { backoffMs } from '../../../../core/lib/work/backoff.ts';
import { webhookType } from '../../api/types.ts';
import type { Webhook, WebhookDeps } from '../deps.ts';
import type { Enqueue } from '../enqueue.ts';
import { createReader, type Reader } from './reader.ts';

/** Reads what happens in the cluster and queues it for the webhooks that want it. */
export interface Intake {
  run(signal: AbortSignal): Promise<void>;
}

/** How often the position is stored. After a restart, what is read twice is not queued twice. */
const cursorMs = 20_000;
const backoff = { baseMs: 250, maxMs: 15_000 };

export function createIntake(deps: WebhookDeps, enqueue: Enqueue): Intake {
  return {
    async run(signal) {
      const version = await clusterVersion(deps, signal);
      if (signal.aborted) return;
      const readers = createReaders(deps, enqueue, { version, signal });
      readers.look();
      const unlisten = deps.caches.webhooks.onChange(readers.look);
      const stopCursor = keepCursor(deps, readers.all);
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) resolve();
      });
      unlisten();
      stopCursor();
      await readers.ended();
    },
  };
}

/** Where the cluster is now. */
async function clusterVersion(
  { kube, watchClock: clock, log }: WebhookDeps,
  signal: AbortSignal,
): Promise<bigint> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      const { resourceVersion } = await kube.list(webhookType, { limit: 1, isMetadataOnly: true });
      return parseVersion(resourceVersion);
    } catch (error) {
      log.debug('asking for the version of the cluster again', { error: messageOf(error) });
      await clock.sleep(backoffMs(failures, backoff), signal).catch(() => undefined);
    }
  }
  return 0n;
}

interface Running extends Reader {
  stop: AbortController;
  hasEnded: Promise<void>;
}

/** A term of leadership, with the version of the cluster when it began. */
interface Term {
  version: bigint;
  signal: AbortSignal;
}

/** A reader for each webhook. The log keeps changes while there is one. */
function createReaders(deps: WebhookDeps, enqueue: Enqueue, { version, signal }: Term) {
  const { caches, eventLog } = deps;
  const running = new Map<string, Running>();
  let close: (() => void) | undefined;

  function begin(webhook: Webhook): void {
    close ??= eventLog.open();
    const first = startOf(webhook, caches.webhooks.list());
    // A later position is of another cluster, from whose backup this one was restored.
    const newest = later(version, versionOf(webhook));
    const isGap = first > newest;
    const from = isGap ? newest : first;
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
    all: (): readonly Reader[] => [...running.values()],
    async ended() {
      const all = [...running];
      for (const [uid, reader] of all) end(uid, reader);
      await Promise.all(all.map(([, { hasEnded }]) => hasEnded));
    },
  };
}

const later = (one: bigint, other: bigint) => (one < other ? other : one);
const earlier = (one: bigint, other: bigint) => (one < other ? one : other);

/** Where a webhook begins: after the newest stored position, which is that of all, or else after it was created. */
function startOf({ metadata, status }: Webhook, webhooks: readonly Webhook[]): bigint {
  const since = parseVersion(status?.since ?? metadata.resourceVersion);
  return webhooks.map((webhook) => parseVersion(webhook.status?.cursor ?? '')).reduce(later, since);
}

const revisionsOf = ({ revisions }: Position) => Object.values(revisions);

/** Stores the position in one webhook from time to time: it is that of all. */
function keepCursor({ kube, caches, clock, log }: WebhookDeps, readers: () => readonly Reader[]): () => void {
  let cancel = clock.after(cursorMs, () => void write());
  let isStopped = false;
  async function write(): Promise<void> {
    const [carrier] = caches.webhooks.list().sort((a, b) => (a.metadata.uid < b.metadata.uid ? -1 : 1));
    // A webhook that is not known yet begins after what its cache has seen.
    const version = readers()
      .flatMap((reader) => revisionsOf(reader.position()))
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
