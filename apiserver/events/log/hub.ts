import type { EventResource } from '../../../core/events/objectEvent.ts';
import { watchedTypes } from '../../../core/events/watchedTypes.ts';
import type { WatchTap } from '../../../core/kube/cache/reflector.ts';
import type { Kube, ResourceType } from '../../../core/kube/kube.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Log } from '../../../core/lib/log.ts';
import { recordOf } from '../../../core/lib/typed.ts';
import type { EventMetrics } from '../metrics.ts';
import type { Position } from '../positions.ts';
import { type ChangeLog, createChangeLog } from './changeLog.ts';
import { type LogName, logNames } from './logNames.ts';
import { createReadPast } from './readPast.ts';
import { createRetention } from './retention.ts';

/** Everything that happens in the cluster, as far as this process knows. */
export interface EventHub {
  names: readonly LogName[];
  /** Where this process is now. */
  position(): Position;
  logs: Record<LogName, ChangeLog>;
  /** What the reflectors of the kinds report to. */
  taps: { [Name in LogName]: WatchTap<never> };
  /** Calls `wake` when there may be something to read in a namespace; returns a function that ends that. */
  onNews(namespace: string, wake: () => void): () => void;
  stop(): void;
}

export interface HubOptions {
  kube: Pick<Kube, 'list' | 'watch'>;
  clock: Clock;
  log: Log;
  metrics: Pick<EventMetrics, 'backfill' | 'bytes'>;
}

/** What all workspaces together may have in memory. */
const maxBytes = 32 * 1024 * 1024;
/** Kubernetes itself forgets after five minutes. */
const maxAgeMs = 600_000;

export function createEventHub({ kube, clock, log, metrics }: HubOptions): EventHub {
  const listeners = new Map<string, Set<() => void>>();
  const retention = createRetention({ clock, maxBytes, maxAgeMs });
  const wakeAll = (wakes: Iterable<() => void> = []) => {
    for (const wake of wakes) wake();
  };
  const logOf = (type: ResourceType<EventResource>): ChangeLog =>
    createChangeLog({
      clock,
      log,
      retention,
      readPast: createReadPast(kube, type),
      onRead: () => metrics.backfill(type.kind),
      onEntry(namespace) {
        metrics.bytes(retention.bytes());
        wakeAll(listeners.get(namespace));
      },
      onAll() {
        for (const wakes of listeners.values()) wakeAll(wakes);
      },
    });
  const logs = recordOf(
    logNames.map((name) => [name, logOf(watchedTypes[name] as ResourceType<EventResource>)] as const),
  );
  return {
    names: logNames,
    position: () => ({
      revisions: recordOf(logNames.map((name) => [name, logs[name].position()] as const)),
    }),
    logs,
    taps: recordOf(logNames.map((name) => [name, logs[name].tap as WatchTap<never>] as const)),
    onNews(namespace, wake) {
      const wakes = listeners.get(namespace) ?? new Set();
      listeners.set(namespace, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0) listeners.delete(namespace);
      };
    },
    stop() {
      for (const log of Object.values(logs)) log.stop();
    },
  };
}
