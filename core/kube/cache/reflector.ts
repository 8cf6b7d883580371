import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Kube, KubeObject, ObjectRef, ResourceType, Stored, WatchEvent } from '../kube.ts';
import type { KubeMetrics } from '../metrics.ts';
import { parseLabelSelector } from '../selector.ts';
import { createGate, type Gate } from './gate.ts';
import { createBell, createListeners, type Listeners } from './listeners.ts';
import { runReflectorLoop } from './reflectorLoop.ts';
import { type Change, createReflectorState, isSameState, type ReflectorState } from './reflectorState.ts';
import type { Indexes } from './store.ts';

export type { Change } from './reflectorState.ts';

export interface ReflectorOptions<T extends KubeObject> {
  kube: Pick<Kube, 'list' | 'watch'>;
  type: ResourceType<T>;
  /** All namespaces when absent. */
  namespace?: string;
  labelSelector?: string;
  /** Only the object of this name: a role may then allow nothing else. */
  name?: string;
  indexes?: Indexes<Stored<T>>;
  /** What is kept of an object; all of it when absent. Its metadata must stay that of the object. */
  trim?: (object: Stored<T>) => Stored<T>;
  log: Log;
  clock: Clock;
  kubeMetrics?: KubeMetrics;
  /** A watch that is silent for this long is considered dead and restarted; 90 s when absent. */
  idleTimeoutMs?: number;
  /** Objects in one page of a list; 500 when absent. */
  pageSize?: number;
  /** For the jitter of waits, in [0, 1). */
  random?: () => number;
  tap?: WatchTap<T> | undefined;
}

/**
 * Sees what the watch sees, in its order: every version of every object, which a cache may skip. What the cache keeps of a
 * version is the same object in both.
 */
export interface WatchTap<T extends KubeObject> {
  /** A complete list. Changes between the last version seen and its version are unknown. */
  listed(items: readonly Stored<T>[], resourceVersion: string): void;
  /** `kept` is what the cache keeps of `object`. */
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Stored<T>, kept: Stored<T>): void;
  /** All changes up to a version were seen. */
  reached(resourceVersion: string): void;
}

interface ListCount {
  begun: number;
  complete: number;
}

interface WaitOptions {
  timeoutMs: number;
  signal?: AbortSignal;
}

/** A cache of all objects of a kind, kept current by a watch. Its objects are shared: never change them. */
export interface Reflector<T extends KubeObject> {
  readonly type: ResourceType<T>;
  start(): void;
  /** Ends the watch; the cached objects remain readable. */
  stop(): Promise<void>;
  hasSynced(): boolean;
  /** Resolves after the first complete list; Unavailable when the reflector is stopped before. */
  whenSynced(): Promise<void>;
  /** When the cache was last known to be current (ms since the epoch): a list, an event or a bookmark. */
  lastSyncMs(): number | undefined;
  /** The resourceVersion up to which every change of the cluster was seen; 0 before the first list. */
  seenVersion(): bigint;
  get(ref: ObjectRef): Stored<T> | undefined;
  list(): Stored<T>[];
  /** Internal when there is no such index. */
  byIndex(name: string, value: string): Stored<T>[];
  /** Called after each change of the cache; returns a function that removes the listener. Its errors are logged. */
  onChange(listener: (change: Change<T>) => void): () => void;
  /** Called when more was seen, after its changes: a list, an event or a bookmark. Returns a function that removes the listener. */
  onProgress(listener: () => void): () => void;
  /** Lists again, whatever the watch does, unless a list is under way. A failing list keeps its back-off. */
  refresh(): void;
  /** How many lists have begun, and which of them was the last complete one. */
  lists(): ListCount;
  /** The first matching object, now or later; undefined after the timeout or when `signal` aborts. */
  waitFor(predicate: (object: Stored<T>) => boolean, options: WaitOptions): Promise<Stored<T> | undefined>;
  /** Puts the answer to a write of this process into the cache, so that it reads its own writes. */
  observe(object: Stored<T>): void;
}

/** A reflector that is not started yet. Watch errors never end it; each restarts the watch with back-off. */
export function createReflector<T extends KubeObject>(options: ReflectorOptions<T>): Reflector<T> {
  const { clock, log, trim = (object: Stored<T>) => object } = options;
  const state = createReflectorState(options.indexes);
  const changes = createListeners<T>(log);
  const synced = createGate();
  const isSelected = selectorOf(options);
  const controller = new AbortController();
  const progress = createBell();
  const reading = createReading();
  let running: Promise<void> | undefined;
  let lastSyncMs: number | undefined;

  const seen = () => {
    lastSyncMs = clock.nowMs();
  };
  const { signal } = controller;
  const loop = loopOf(options, { state, changes, synced, seen, reading, progressed: progress.ring, signal });

  return {
    type: options.type,
    start() {
      running ??= runReflectorLoop(loop, signal);
    },
    async stop() {
      controller.abort();
      synced.fail(stoppedEarly(options.type));
      await running;
    },
    hasSynced: synced.isOpen,
    whenSynced: synced.wait,
    lastSyncMs: () => lastSyncMs,
    seenVersion: state.seenVersion,
    get: state.store.get,
    list: state.store.list,
    byIndex: state.store.byIndex,
    onChange: changes.add,
    onProgress: progress.add,
    refresh: reading.refresh,
    lists: reading.lists,
    waitFor: (predicate, wait) => waitForObject({ clock, changes, list: state.store.list }, predicate, wait),
    observe(object) {
      if (isSelected(object)) changes.emit(state.observe(trim(object)));
    },
  };
}

/** The list that is under way, or the last one, and the watch after it. */
function createReading() {
  let current = new AbortController();
  let isListing = false;
  let begun = 0;
  let complete = 0;
  return {
    begin() {
      current = new AbortController();
      isListing = true;
      begun += 1;
      return current.signal;
    },
    end(isComplete: boolean) {
      isListing = false;
      if (isComplete) complete = begun;
    },
    refresh() {
      if (!isListing) current.abort();
    },
    lists: (): ListCount => ({ begun, complete }),
  };
}

interface LoopParts<T extends KubeObject> {
  reading: ReturnType<typeof createReading>;
  state: ReflectorState<T>;
  changes: Listeners<T>;
  synced: Gate;
  seen(): void;
  progressed(): void;
  /** Aborts when the reflector is stopped: what a list or a watch still brings is told to nobody. */
  signal: AbortSignal;
}

/** Passes what the loop reports to the cache and to the tap. */
function loopOf<T extends KubeObject>(
  options: ReflectorOptions<T>,
  { state, changes, synced, seen, reading, progressed, signal }: LoopParts<T>,
) {
  const { tap, trim = (object: Stored<T>) => object } = options;
  const cached = (object: Stored<T>) => {
    const known = state.store.get(object.metadata);
    return known && isSameState(known, object) ? known : object;
  };
  return {
    ...withDefaults(options),
    onListBegin() {
      state.beginList();
      return reading.begin();
    },
    onListFailed: () => reading.end(false),
    onListEnd(items: Stored<T>[], resourceVersion: string) {
      if (signal.aborted) return;
      seen();
      reading.end(true);
      const found = state.endList(items, resourceVersion);
      tap?.listed(items.map(cached), resourceVersion);
      synced.open();
      changes.emit(found);
      progressed();
    },
    onEvent(event: WatchEvent<T>) {
      if (signal.aborted) return;
      seen();
      if (event.type === 'BOOKMARK') {
        changes.emit(state.applyEvent(event));
        tap?.reached(event.resourceVersion);
        return progressed();
      }
      const kept = trim(event.object);
      changes.emit(state.applyEvent({ ...event, object: kept }));
      tap?.changed(event.type, event.object, cached(kept));
      progressed();
    },
  };
}

function withDefaults<T extends KubeObject>(options: ReflectorOptions<T>) {
  const { idleTimeoutMs = 90_000, pageSize = 500 } = options;
  return { ...options, idleTimeoutMs, pageSize };
}

function stoppedEarly({ kind }: ResourceType): AppError {
  return new AppError('Unavailable', `${kind}: the cache was stopped before its first list`);
}

interface WaitSource<T extends KubeObject> {
  clock: Clock;
  changes: Listeners<T>;
  list(): Stored<T>[];
}

function waitForObject<T extends KubeObject>(
  source: WaitSource<T>,
  predicate: (object: Stored<T>) => boolean,
  { timeoutMs, signal }: WaitOptions,
): Promise<Stored<T> | undefined> {
  const found = source.list().find(predicate);
  if (found || signal?.aborted) return Promise.resolve(found);
  return new Promise((resolve) => {
    const finish = (object?: Stored<T>) => {
      removeListener();
      cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(object);
    };
    const onAbort = () => finish();
    const cancel = source.clock.after(timeoutMs, onAbort);
    const removeListener = source.changes.add((change) => {
      if (change.type === 'set' && predicate(change.object)) finish(change.object);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Whether the reflector watches an object. */
function selectorOf<T extends KubeObject>(options: ReflectorOptions<T>): (object: Stored<T>) => boolean {
  const fitsLabels = parseLabelSelector(options.labelSelector);
  const { namespace, name } = options;
  return ({ metadata }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    (name === undefined || metadata.name === name) &&
    fitsLabels(metadata.labels);
}
