import type { Clock } from '../../lib/clock.ts';
import { compact } from '../../lib/compact.ts';
import { isAppError, messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { backoffMs } from '../../lib/work/backoff.ts';
import type { Kube, KubeObject, ListPage, ResourceType, Stored, WatchEvent } from '../kube.ts';
import type { KubeMetrics } from '../metrics.ts';

export interface ReflectorLoopOptions<T extends KubeObject> {
  kube: Pick<Kube, 'list' | 'watch'>;
  type: ResourceType<T>;
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  name?: string | undefined;
  /** Applied to each page of a list, so that a long list is not in memory untrimmed. */
  trim?: ((object: Stored<T>) => Stored<T>) | undefined;
  log: Log;
  clock: Clock;
  kubeMetrics?: KubeMetrics | undefined;
  /** A watch that is silent for this long is considered dead. */
  idleTimeoutMs: number;
  pageSize: number;
  random?: (() => number) | undefined;
  /** Once the signal aborts, the list that begins and the watch after it are too old. */
  onListBegin(): AbortSignal;
  onListFailed(): void;
  onListEnd(items: Stored<T>[], resourceVersion: string): void;
  onEvent(event: WatchEvent<T>): void;
}

type Reason = 'ended' | 'idle' | 'gone' | 'throttled' | 'error' | 'refreshed';

interface WatchEnd {
  reason: Reason;
  error?: unknown;
}

const backoff = { baseMs: 500, maxMs: 30_000 };
/** A watch that lasted this long was working; longer than any request may take. */
const healthyLifetimeMs = 30_000;
/** After this many consecutive failures, the resourceVersion to continue from may itself be the cause. */
const failuresUntilRelist = 5;

/** Lists, then watches, forever: resolves only when `signal` aborts, and never throws. */
export async function runReflectorLoop<T extends KubeObject>(
  options: ReflectorLoopOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, type } = options;
  let version: string | undefined;
  let failures = 0;
  let tooOld = signal;

  async function cycle(): Promise<WatchEnd> {
    try {
      if (tooOld.aborted) version = undefined;
      if (version === undefined) {
        tooOld = options.onListBegin();
        version = await listAll(options);
      }
      const stop = AbortSignal.any([signal, tooOld]);
      const outcome = await follow(options, { version, signal: stop, onVersion: advance });
      return tooOld.aborted ? { reason: 'refreshed' } : outcome;
    } catch (error) {
      return { reason: reasonOf(error), error };
    }
  }

  function advance(resourceVersion: string): void {
    version = resourceVersion;
    failures = 0;
  }

  while (!signal.aborted) {
    const startMs = clock.nowMs();
    const outcome = await cycle();
    const hasListed = version !== undefined;
    if (signal.aborted || outcome.reason === 'refreshed') continue;
    const wasLongLived = clock.nowMs() - startMs >= healthyLifetimeMs;
    if (wasLongLived) failures = 0;
    if (!wasLongLived || outcome.error !== undefined) failures += 1;
    if (outcome.reason === 'gone' || failures >= failuresUntilRelist) version = undefined;
    const waitMs = waitOf(outcome, failures, options.random);
    report(options, outcome, Math.round(waitMs));
    options.kubeMetrics?.watchRestarts(type.kind, outcome.reason);
    const mayWake = hasListed && outcome.reason !== 'throttled';
    await pause(clock, { waitMs, askedMs: retryAfterMsOf(outcome), signal, wake: mayWake ? tooOld : signal });
  }
}

interface Pause {
  waitMs: number;
  /** The part of it that kube-apiserver has asked for. */
  askedMs: number;
  signal: AbortSignal;
  /** Ends the remaining wait. */
  wake: AbortSignal;
}

/**
 * A caller that needs the newest state does not wait for the back-off of a watch, only for the delay that kube-apiserver has
 * asked for.
 */
async function pause(clock: Clock, { waitMs, askedMs, signal, wake }: Pause): Promise<void> {
  try {
    if (askedMs > 0) await clock.sleep(Math.min(askedMs, waitMs), signal);
    if (waitMs > askedMs) await clock.sleep(waitMs - askedMs, AbortSignal.any([signal, wake]));
  } catch {
    // Woken, or stopped.
  }
}

/** A list whose pages take longer than etcd remembers its version begins again this often, before it is read at once. */
const pagedAttempts = 3;

/** Reads all pages of one consistent list and passes them on; resolves with the version to watch from. */
async function listAll<T extends KubeObject>(options: ReflectorLoopOptions<T>): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const limit = attempt <= pagedAttempts ? options.pageSize : undefined;
    const found = await listOnce(options, limit).catch((error: unknown) => {
      options.onListFailed();
      throw error;
    });
    if (!found) continue;
    options.onListEnd(found.items, found.resourceVersion);
    return found.resourceVersion;
  }
}

/** Undefined when the continue token has expired. Without `limit`, everything is one page. */
async function listOnce<T extends KubeObject>(
  options: ReflectorLoopOptions<T>,
  limit: number | undefined,
): Promise<Pick<ListPage<T>, 'items' | 'resourceVersion'> | undefined> {
  const { kube, type, trim = (object) => object } = options;
  const scope = compact({ ...scopeOf(options), limit });
  // No resourceVersion: the list is as new as the newest write, so it never moves the cache back in time.
  let page = await kube.list(type, scope);
  let items = page.items.map(trim);
  while (page.continueToken) {
    const next: ListPage<T> | undefined = await kube
      .list(type, { ...scope, continueToken: page.continueToken })
      .catch((error: unknown) => {
        if (isAppError(error, 'Conflict')) return undefined;
        throw error;
      });
    if (!next) return undefined;
    page = next;
    items = items.concat(page.items.map(trim));
  }
  return { items, resourceVersion: page.resourceVersion };
}

function scopeOf<T extends KubeObject>({ namespace, labelSelector, name }: ReflectorLoopOptions<T>) {
  const fieldSelector = name === undefined ? undefined : `metadata.name=${name}`;
  return compact({ namespace, labelSelector, fieldSelector });
}

interface Following {
  version: string;
  signal: AbortSignal;
  onVersion(resourceVersion: string): void;
}

/** Watches until the server ends the watch, or nothing arrives for the idle time. */
async function follow<T extends KubeObject>(
  options: ReflectorLoopOptions<T>,
  { version, signal, onVersion }: Following,
): Promise<WatchEnd> {
  const { kube, type, clock } = options;
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (signal.aborted) return { reason: 'ended' };
  signal.addEventListener('abort', abort, { once: true });
  const arm = () => clock.after(options.idleTimeoutMs, abort);
  let disarm = arm();
  try {
    const events = kube.watch(type, {
      ...scopeOf(options),
      resourceVersion: version,
      signal: controller.signal,
    });
    for await (const event of events) {
      disarm();
      disarm = arm();
      options.onEvent(event);
      onVersion(event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion);
    }
    return { reason: controller.signal.aborted ? 'idle' : 'ended' };
  } finally {
    disarm();
    abort();
    signal.removeEventListener('abort', abort);
  }
}

function reasonOf(error: unknown): Reason {
  if (isAppError(error, 'Conflict')) return 'gone';
  return isAppError(error, 'TooManyRequests') ? 'throttled' : 'error';
}

const retryAfterMsOf = ({ error }: WatchEnd) =>
  isAppError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0;

function waitOf(outcome: WatchEnd, failures: number, random: (() => number) | undefined): number {
  if (failures === 0) return 0;
  return Math.max(retryAfterMsOf(outcome), backoffMs(failures, { ...backoff, ...compact({ random }) }));
}

function report<T extends KubeObject>(
  options: ReflectorLoopOptions<T>,
  outcome: WatchEnd,
  waitMs: number,
): void {
  const fields = { kind: options.type.kind, reason: outcome.reason, waitMs };
  if (outcome.error === undefined) {
    options.log.debug('restarting the watch', fields);
    return;
  }
  options.log.warn('restarting the watch', { ...fields, error: messageOf(outcome.error) });
}
