import type { WatchTap } from '../../kube/cache/reflector.ts';
import type { Kube, ResourceType } from '../../kube/kube.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { recordOf } from '../../lib/typed.ts';
import type { EventResource } from '../objectEvent.ts';
import { type LogName, logNames, watchedTypes } from '../watchedTypes.ts';
import { type ChangeLog, createChangeLog } from './changeLog.ts';
import { createReadPast } from './readPast.ts';
import { createRetention } from './retention.ts';

/** Where a reader is: the revision that it has seen of each kind, and of the next change how many events. */
export interface Position {
  revisions: Record<LogName, bigint>;
  /** A change with many events of which some were sent. */
  partly?: { log: LogName; revision: bigint; sent: number } | undefined;
}

/** Everything that happens in the cluster, as far as this process knows: a log of changes for each kind. */
export interface EventLog {
  names: readonly LogName[];
  /** Where this process is now. */
  position(): Position;
  logs: Record<LogName, ChangeLog>;
  /** What the reflectors of the kinds report to. */
  taps: { [Name in LogName]: WatchTap<never> };
  /** Calls `wake` when there may be something to read in a namespace; returns a function that ends that. */
  onNews(namespace: string, wake: () => void): () => void;
  /** Changes are kept from now on; returns a function that ends that. Without a reader, only the objects are. */
  open(): () => void;
}

export interface EventLogOptions {
  kube: Pick<Kube, 'list' | 'watch'>;
  clock: Clock;
  log: Log;
  /** Reads of the past, by kind, and the estimated memory of all changes. */
  metrics?: { backfill(kind: string): void; bytes(count: number): void };
  /** Follows the kinds that are in no cache of the process, while anybody reads. */
  follow?(): () => void;
  /** How often a read of the past that breaks is tried; without end when absent. */
  maxAttempts?: number;
}

/** What all workspaces together may have in memory. */
const maxBytes = 32 * 1024 * 1024;
/** Kubernetes itself forgets after five minutes. */
const maxAgeMs = 600_000;

export function createEventLog(options: EventLogOptions): EventLog {
  const news = createNews();
  const readers = new Set<object>();
  let unfollow: (() => void) | undefined;
  const logs = createLogs(options, { news, isRead: () => readers.size > 0 });
  return {
    names: logNames,
    position: () => ({
      revisions: recordOf(logNames.map((name) => [name, logs[name].position()] as const)),
    }),
    logs,
    taps: recordOf(logNames.map((name) => [name, logs[name].tap as WatchTap<never>] as const)),
    onNews: news.listen,
    open() {
      const reader = {};
      readers.add(reader);
      if (readers.size === 1) unfollow = options.follow?.();
      return () => {
        if (!readers.delete(reader) || readers.size > 0) return;
        unfollow?.();
        for (const log of Object.values(logs)) log.forget();
      };
    },
  };
}

/** Who waits for changes, by namespace. */
function createNews() {
  const listeners = new Map<string, Set<() => void>>();
  const wake = (wakes: Iterable<() => void> = []) => {
    for (const one of wakes) one();
  };
  return {
    ring: (namespace: string) => wake(listeners.get(namespace)),
    ringAll() {
      for (const wakes of listeners.values()) wake(wakes);
    },
    listen(namespace: string, listener: () => void) {
      const wakes = listeners.get(namespace) ?? new Set();
      listeners.set(namespace, wakes.add(listener));
      return () => {
        wakes.delete(listener);
        if (wakes.size === 0) listeners.delete(namespace);
      };
    },
  };
}

function createLogs(
  options: EventLogOptions,
  { news, isRead }: { news: ReturnType<typeof createNews>; isRead(): boolean },
) {
  const { clock, log, maxAttempts = Number.POSITIVE_INFINITY } = options;
  const retention = createRetention({ clock, maxBytes, maxAgeMs });
  const logOf = (type: ResourceType<EventResource>): ChangeLog =>
    createChangeLog({
      clock,
      log,
      retention,
      isRead,
      maxAttempts,
      readPast: createReadPast(options, type),
      onRead: () => options.metrics?.backfill(type.kind),
      onEntry(namespace) {
        options.metrics?.bytes(retention.bytes());
        news.ring(namespace);
      },
      onAll: news.ringAll,
    });
  return recordOf(
    logNames.map((name) => [name, logOf(watchedTypes[name] as ResourceType<EventResource>)] as const),
  );
}
