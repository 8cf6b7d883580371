import { keepsId } from '../../../../core/api/ids.ts';
import { parseVersion } from '../../../../core/kube/objects.ts';
import { isAppError, messageOf } from '../../../../core/lib/errors.ts';
import { backoffMs } from '../../../../core/lib/work/backoff.ts';
import { webhookType } from '../../api/types.ts';
import type { QueuedEvent } from '../../core/batches.ts';
import { wants } from '../../core/filter.ts';
import type { Webhook, WebhookDeps } from '../deps.ts';
import type { Enqueue } from '../enqueue.ts';
import { followedTypes, followKind } from './follow.ts';
import { labelsOf, renderEvent, type SeenEvent } from './render.ts';

/** Reads what happens in the cluster and queues it for the webhooks that want it. */
export interface Intake {
  run(signal: AbortSignal): Promise<void>;
}

/** How often the position is stored. After a restart, what is read twice is not queued twice. */
const cursorMs = 20_000;
const backoff = { baseMs: 250, maxMs: 15_000 };
/** Events that are read ahead of what is stored. */
const maxAhead = 2_000;

export function createIntake(deps: WebhookDeps, enqueue: Enqueue): Intake {
  return {
    async run(signal) {
      while (!signal.aborted) {
        if (!(await someWebhook(deps, signal))) return;
        await readWhileWanted(deps, enqueue, signal);
      }
    },
  };
}

/** Reads all kinds until there is no webhook any more, or `signal` aborts. */
async function readWhileWanted(deps: WebhookDeps, enqueue: Enqueue, signal: AbortSignal): Promise<void> {
  const { kube, watchClock: clock, log, caches } = deps;
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  const unlisten = caches.webhooks.onChange(() => caches.webhooks.list().length === 0 && abort());
  const queueing = {
    enqueue,
    debts: createDebts(deps, enqueue, controller.signal),
    signal: controller.signal,
  };
  const store = createStore(deps, queueing);
  const from = startOf(caches.webhooks.list());
  const lost = createLoss(deps, queueing);
  const stopCursor = keepCursor(deps, store.cursor);
  const follow = ({ type, pageSize }: (typeof followedTypes)[number]) =>
    followKind({
      kube,
      clock,
      log,
      type,
      pageSize,
      from,
      signal: controller.signal,
      onRead: (version, events) => store.add({ kind: type.kind, version, events }),
      onLost: lost,
    });
  await Promise.all(followedTypes.map(follow));
  stopCursor();
  unlisten();
  signal.removeEventListener('abort', abort);
}

/** Where to begin: the newest stored position, or else the oldest webhook. */
function startOf(webhooks: readonly Webhook[]): string {
  const first = leastOf(webhooks.map(sinceOf)) ?? 0n;
  const cursors = webhooks.map(({ status }) => parseVersion(status?.cursor ?? ''));
  return String([first, ...cursors].reduce(later));
}

const earlier = (one: bigint, other: bigint) => (one < other ? one : other);
const later = (one: bigint, other: bigint) => (one < other ? other : one);

function leastOf(versions: readonly bigint[]): bigint | undefined {
  const [first, ...others] = versions;
  return first === undefined ? undefined : others.reduce(earlier, first);
}

/** The revision after which a webhook gets events. */
function sinceOf({ metadata, status }: Webhook): bigint {
  return parseVersion(status?.since ?? metadata.resourceVersion);
}

/** How events get to the queues of webhooks. */
interface Queueing {
  enqueue: Enqueue;
  debts: Debts;
  signal: AbortSignal;
}

interface Read {
  kind: string;
  version: string;
  events: SeenEvent[];
}

/** Queues what was read, one write after the other: what is read meanwhile shares the next one. */
function createStore(deps: WebhookDeps, queueing: Queueing) {
  const { debts, signal } = queueing;
  /** Up to which revision everything of a kind is queued. */
  const stored = new Map<string, bigint>();
  let ahead: Read[] = [];
  let storing: Promise<void> | undefined;

  async function storeAll(): Promise<void> {
    while (ahead.length > 0 && !signal.aborted) {
      const reads = ahead;
      ahead = [];
      const events = reads.flatMap((read) => read.events);
      await queueReliably(deps, queueing, events);
      if (signal.aborted) return;
      for (const { kind, version } of reads) stored.set(kind, parseVersion(version));
    }
  }

  function begin(): Promise<void> {
    return storeAll().finally(() => {
      // Something may have been added when the last write had just ended.
      storing = ahead.length > 0 && !signal.aborted ? begin() : undefined;
    });
  }

  return {
    async add(read: Read): Promise<void> {
      ahead.push(read);
      storing ??= begin();
      if (ahead.reduce((sum, { events }) => sum + events.length, 0) > maxAhead) await storing;
    },
    /** Up to which revision everything is queued; undefined while that is not known of every kind and webhook. */
    cursor(): bigint | undefined {
      if (debts.areOpen()) return undefined;
      const versions = followedTypes.flatMap(({ type }) => stored.get(type.kind) ?? []);
      return versions.length === followedTypes.length ? leastOf(versions) : undefined;
    },
  };
}

/** Tries until it succeeds: nothing that was read may be forgotten. */
async function queueReliably(
  deps: WebhookDeps,
  queueing: Queueing,
  events: readonly SeenEvent[],
): Promise<void> {
  const wanted = new Map<Webhook, QueuedEvent[]>();
  for (const seen of events) {
    const takers = takersOf(deps, seen);
    if (takers.length === 0) continue;
    const rendered = renderEvent(deps, seen);
    for (const webhook of takers) wanted.set(webhook, [...(wanted.get(webhook) ?? []), rendered]);
  }
  await Promise.all(
    [...wanted].map(([webhook, own]) =>
      insist(deps, queueing, { webhook, work: () => queueing.enqueue.events(webhook, own) }),
    ),
  );
}

function takersOf({ caches }: WebhookDeps, { event }: SeenEvent): Webhook[] {
  // Changes of the secrets that sign deliveries are not events.
  if (event.resource.metadata.ownerReferences?.some(({ kind }) => kind === 'Webhook')) return [];
  const { namespace, resourceVersion } = event.resource.metadata;
  const version = parseVersion(resourceVersion);
  const filtered = { type: event.type, labels: labelsOf(event) };
  return caches.webhooks
    .byIndex('namespace', namespace)
    .filter((webhook) => version > sinceOf(webhook) && wants(webhook.spec, filtered))
    .filter((webhook) => keepsId(caches.webhooks, webhook));
}

/** A namespace that is gone or ends, or where a quota, a role or a schema forbids more objects, perhaps only for now. */
const refusals = new Set<string>(['NotFound', 'Forbidden', 'BadRequest']);

const isThere = ({ caches }: WebhookDeps, { metadata: { uid } }: Webhook) =>
  caches.webhooks.byIndex('uid', uid).length > 0;

/** Does the work for a webhook until it succeeds or the webhook is gone. What its namespace refuses is owed to it. */
async function insist(
  deps: WebhookDeps,
  { debts, signal }: Queueing,
  { webhook, work }: { webhook: Webhook; work: () => Promise<void> },
): Promise<void> {
  const { watchClock: clock, log } = deps;
  const { name } = webhook.metadata;
  // The gap stands for what comes after it, too.
  if (debts.has(webhook)) return debts.owe(webhook);
  for (let failures = 1; !signal.aborted; failures += 1) {
    if (!isThere(deps, webhook)) return;
    try {
      return await work();
    } catch (error) {
      const isRefused = isAppError(error) && refusals.has(error.reason);
      log.warn('events cannot be queued', { webhook: name, isRefused, error: messageOf(error) });
      if (isRefused) return debts.owe(webhook);
      await clock.sleep(backoffMs(failures, backoff), signal).catch(() => undefined);
    }
  }
}

/** Gaps that are owed to webhooks for events that could not be stored. */
interface Debts {
  /** Queues a gap as soon as that is possible. Others do not wait for it. */
  owe(webhook: Webhook): void;
  has(webhook: Webhook): boolean;
  areOpen(): boolean;
}

function createDebts(deps: WebhookDeps, enqueue: Enqueue, signal: AbortSignal): Debts {
  /** How often something is missing, by uid of the webhook. */
  const owed = new Map<string, number>();

  async function repay(webhook: Webhook): Promise<void> {
    const { uid } = webhook.metadata;
    for (let failures = 1; !signal.aborted && isThere(deps, webhook); failures += 1) {
      const before = owed.get(uid);
      const isQueued = await enqueue.gap(webhook, { reason: 'HistoryLost', dropped: 0 }).then(
        () => true,
        () => false,
      );
      // More may have been missed while the gap was stored.
      if (isQueued && owed.get(uid) === before) break;
      if (!isQueued) await deps.watchClock.sleep(backoffMs(failures, backoff), signal).catch(() => undefined);
    }
    // An aborted reading goes on from the stored position.
    if (!signal.aborted) owed.delete(uid);
  }

  return {
    owe(webhook) {
      const { uid } = webhook.metadata;
      const isRepaid = owed.has(uid);
      owed.set(uid, (owed.get(uid) ?? 0) + 1);
      if (!isRepaid) void repay(webhook);
    },
    has: ({ metadata: { uid } }) => owed.has(uid),
    areOpen: () => owed.size > 0,
  };
}

/** Tells every webhook that events are missing. */
function createLoss(deps: WebhookDeps, queueing: Queueing): () => Promise<void> {
  /** Kinds lose their changes together: that is one gap. */
  let current: Promise<void> | undefined;
  const tell = async () => {
    for (const webhook of deps.caches.webhooks.list()) {
      const missing = { reason: 'HistoryLost', dropped: 0 } as const;
      const work = () => queueing.enqueue.gap(webhook, missing);
      await insist(deps, queueing, { webhook, work });
    }
  };
  return () => {
    current ??= tell().finally(() => {
      current = undefined;
    });
    return current;
  };
}

/** Stores the position in one webhook from time to time: it is that of all. */
function keepCursor({ kube, caches, clock, log }: WebhookDeps, cursor: () => bigint | undefined): () => void {
  let cancel = clock.after(cursorMs, () => void write());
  let isStopped = false;
  async function write(): Promise<void> {
    const [carrier] = caches.webhooks.list().sort((a, b) => (a.metadata.uid < b.metadata.uid ? -1 : 1));
    const version = cursor();
    if (carrier && version !== undefined && String(version) !== carrier.status?.cursor) {
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

/** Resolves with true when there is a webhook, with false when `signal` aborts before. */
function someWebhook({ caches }: WebhookDeps, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  if (caches.webhooks.list().length > 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (isThere: boolean) => {
      unlisten();
      signal.removeEventListener('abort', stop);
      resolve(isThere);
    };
    const stop = () => end(false);
    const unlisten = caches.webhooks.onChange(() => caches.webhooks.list().length > 0 && end(true));
    signal.addEventListener('abort', stop, { once: true });
  });
}
