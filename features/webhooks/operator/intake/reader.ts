import { keepsId } from '../../../../core/api/ids.ts';
import type { Position } from '../../../../core/events/log/eventLog.ts';
import { latest, readReady } from '../../../../core/events/log/readNext.ts';
import type { LoggedEvent } from '../../../../core/events/log/segment.ts';
import type { LogName } from '../../../../core/events/watchedTypes.ts';
import { isAppError, messageOf } from '../../../../core/lib/errors.ts';
import { backoffMs } from '../../../../core/lib/work/backoff.ts';
import { createBell } from '../../../../core/lib/work/bell.ts';
import type { Webhook, WebhookDeps } from '../deps.ts';
import type { Enqueue } from '../enqueue.ts';
import { beginAgain, hasOwnPosition } from './ownPosition.ts';
import { wantedBy } from './render.ts';

/** Reads what happens in the workspace of a webhook, and queues what it wants: in order, and each at least once. */
export interface Reader {
  /** Up to where everything is queued. Undefined while a gap is untold that is told after a restart, wherever others begin. */
  position(): Position | undefined;
  /** Reads until `signal` aborts or the webhook is gone. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

interface Beginning {
  webhook: Webhook;
  position: Position;
  /** Whether changes before the position are gone. */
  isGap: boolean;
}

const backoff = { baseMs: 250, maxMs: 15_000 };
/** How long kinds whose past is gone wait for others. */
const gatherMs = 5_000;
/** Events that are rendered at a time. */
const maxRendered = 500;
/** A position moves on when nothing happens, too. */
const idleMs = 20_000;
/** A namespace that is gone or ends, or where a quota, a role or a schema forbids more objects, perhaps only for now. */
const refusals = new Set<string>(['NotFound', 'Forbidden', 'BadRequest']);

export function createReader(deps: WebhookDeps, enqueue: Enqueue, begin: Beginning): Reader {
  const { eventLog } = deps;
  const { namespace } = begin.webhook.metadata;
  const queue = createQueue(deps, enqueue, begin.webhook);
  const past = createPast(deps);
  let { position, isGap } = begin;

  /** Reads once; true if there was something. A kind whose past is still to be read delays no other one. */
  async function read(signal: AbortSignal, wake: () => void): Promise<boolean> {
    const next = readReady(eventLog, { namespace, gone: past.gone() }, position);
    for (const name of next.behind) past.ask(name, position, wake);
    if (isGap || !next.isWhole) await queue.gap(position, signal);
    if (signal.aborted) return false;
    isGap = false;
    await queue.own(signal);
    const events = next.entries.flatMap((entry) => entry.events);
    const isQueued = await queue.events(events, signal);
    const reached = isQueued ? next.position : await queue.gap(position, signal);
    if (!signal.aborted) position = reached;
    return events.length > 0;
  }

  return {
    position: () => (isGap ? undefined : position),
    async run(signal) {
      const bell = createBell(deps.watchClock, signal);
      const endNews = eventLog.onNews(namespace, bell.ring);
      while (!signal.aborted) {
        if (!(await read(signal, bell.ring))) await bell.wait(idleMs);
      }
      endNews();
    },
  };
}

/** What is asked of the past of kinds. Those whose past is gone wait a little for the others: that is one gap. */
function createPast({ eventLog, watchClock: clock }: WebhookDeps) {
  const asked = new Set<LogName>();
  const gone = new Set<LogName>();
  let sinceMs = 0;
  const isListed = (name: LogName) => eventLog.logs[name].position() > 0n;
  return {
    ask(name: LogName, { revisions }: Position, wake: () => void): void {
      if (asked.has(name) || gone.has(name)) return;
      asked.add(name);
      void eventLog.logs[name].extend(revisions[name]).then((isThere) => {
        asked.delete(name);
        if (gone.size === 0) sinceMs = clock.nowMs();
        if (!isThere) gone.add(name);
        wake();
      });
    },
    /** The kinds whose past turned out to be gone since the last call. */
    gone(): ReadonlySet<LogName> {
      const isSettled = asked.size === 0 && eventLog.names.every(isListed);
      const found = new Set(isSettled || clock.nowMs() - sinceMs >= gatherMs ? gone : []);
      for (const name of found) gone.delete(name);
      return found;
    },
  };
}

/** The way into the queue of a webhook. */
function createQueue(deps: WebhookDeps, enqueue: Enqueue, { metadata }: Webhook) {
  const { eventLog, watchClock: clock, caches } = deps;
  const insist = createInsist(deps, metadata);
  return {
    /** False if its namespace refuses some of them. */
    async events(events: readonly LoggedEvent[], signal: AbortSignal): Promise<boolean> {
      for (let at = 0; at < events.length; at += maxRendered) {
        const some = events.slice(at, at + maxRendered);
        const isQueued = await insist(signal, async (webhook) => {
          const wanted = keepsId(caches.webhooks, webhook) ? wantedBy(deps, webhook, some) : [];
          if (wanted.length > 0) await enqueue.events(webhook, wanted);
        });
        if (!isQueued) return false;
      }
      return true;
    },
    /** Resolves with where to go on: a gap stands for everything until it is queued. */
    async gap(from: Position, signal: AbortSignal): Promise<Position> {
      for (let failures = 1; ; failures += 1) {
        const position = latest(eventLog, from);
        const tell = (webhook: Webhook) => enqueue.gap(webhook, { reason: 'HistoryLost', dropped: 0 });
        if (await insist(signal, tell)) return position;
        await clock.sleep(backoffMs(failures, backoff), signal).catch(() => undefined);
      }
    },
    /** Has the webhook have positions of its own. Call it once its receiver will be told of the gap. */
    own(signal: AbortSignal): Promise<boolean> {
      return insist(signal, async (webhook) => {
        if (!hasOwnPosition(webhook)) await beginAgain(deps, webhook, metadata.resourceVersion);
      });
    },
  };
}

/**
 * Does work until it succeeds, the webhook is gone or `signal` aborts: nothing that was read may be forgotten. False if
 * its namespace refuses it.
 */
function createInsist({ caches, watchClock: clock, log }: WebhookDeps, { uid, name }: Webhook['metadata']) {
  return async (signal: AbortSignal, work: (webhook: Webhook) => Promise<void>): Promise<boolean> => {
    for (let failures = 1; !signal.aborted; failures += 1) {
      const [webhook] = caches.webhooks.byIndex('uid', uid);
      if (!webhook) break;
      try {
        await work(webhook);
        break;
      } catch (error) {
        const isRefused = isAppError(error) && refusals.has(error.reason);
        log.warn('events cannot be queued', { webhook: name, isRefused, error: messageOf(error) });
        if (isRefused) return false;
        await clock.sleep(backoffMs(failures, backoff), signal).catch(() => undefined);
      }
    }
    return true;
  };
}
