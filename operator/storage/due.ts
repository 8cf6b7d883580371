import { countedAfterMs } from '../../core/storage/ledger.ts';

/** Decides when a count is published: at once if much has changed, and otherwise now and then. */
export interface Schedule {
  changed(namespace: string, nowMs: number): void;
  published(namespace: string, count: Count): void;
  isDue(namespace: string, count: Count): boolean;
  /** Forgets all other namespaces. */
  keepOnly(namespaces: ReadonlySet<string>): void;
}

interface Count {
  nowMs: number;
  bytes: number;
}

/** A change of this size is published at once. */
const muchBytes = 256 * 1024;
/** Smaller changes wait at most this long. */
const patienceMs = 60_000;
/** After this time, nobody counts a change as an addition of its own any more. */
const settledMs = countedAfterMs + 2_000;

interface Known {
  changedMs: number;
  published?: Count;
}

export function createSchedule(): Schedule {
  const known = new Map<string, Known>();
  return {
    changed(namespace, nowMs) {
      known.set(namespace, { ...known.get(namespace), changedMs: nowMs });
    },
    published(namespace, count) {
      known.set(namespace, { changedMs: known.get(namespace)?.changedMs ?? 0, published: count });
    },
    isDue(namespace, { nowMs, bytes }) {
      const { changedMs = 0, published } = known.get(namespace) ?? {};
      if (!published) return true;
      if (Math.abs(bytes - published.bytes) >= muchBytes) return true;
      const endMs = changedMs + settledMs;
      return published.nowMs < endMs && nowMs >= Math.min(endMs, published.nowMs + patienceMs);
    },
    keepOnly(namespaces) {
      for (const namespace of known.keys()) if (!namespaces.has(namespace)) known.delete(namespace);
    },
  };
}
