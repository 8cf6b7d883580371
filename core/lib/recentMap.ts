import type { BoundedMap } from './boundedMap.ts';
import type { Clock } from './clock.ts';

interface RecentMapOptions {
  maxEntries: number;
  ageMs: number;
  clock: Pick<Clock, 'nowMs'>;
}

/** A bounded map of what was set less than `ageMs` ago. Older entries are never returned, and evicted when one is set. */
export interface RecentMap<K, V> extends BoundedMap<K, V> {
  readonly size: number;
}

export function createRecentMap<K, V>({ maxEntries, ageMs, clock }: RecentMapOptions): RecentMap<K, V> {
  const entries = new Map<K, { value: V; setMs: number }>();

  const isRecent = ({ setMs }: { setMs: number }) => clock.nowMs() - setMs < ageMs;

  function find(key: K) {
    const entry = entries.get(key);
    return entry && isRecent(entry) ? entry : undefined;
  }

  function evict(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= maxEntries && isRecent(entry)) return;
      entries.delete(key);
    }
  }

  return {
    get size() {
      return entries.size;
    },
    get: (key) => find(key)?.value,
    has: (key) => find(key) !== undefined,
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, setMs: clock.nowMs() });
      evict();
    },
    delete: (key) => void entries.delete(key),
  };
}
