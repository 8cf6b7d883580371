import { createBoundedMap } from './boundedMap.ts';
import type { Clock } from './clock.ts';

const maxKeys = 10_000;

/** Lets something happen at most once in an interval for each key. */
export interface Throttle {
  /** True when the key's turn has come; the interval starts again with it. */
  take(key: string): boolean;
  /** The key's turn was not used: the next `take` succeeds. */
  giveBack(key: string): void;
}

/** `intervalMs` between two turns of a key. Remembers the 10,000 most recently used keys. */
export function createThrottle(clock: Clock, intervalMs: number): Throttle {
  const takenMs = createBoundedMap<string, number>(maxKeys);
  return {
    take(key) {
      const nowMs = clock.nowMs();
      const lastMs = takenMs.get(key);
      if (lastMs !== undefined && nowMs - lastMs < intervalMs) return false;
      takenMs.set(key, nowMs);
      return true;
    },
    giveBack: (key) => takenMs.delete(key),
  };
}
