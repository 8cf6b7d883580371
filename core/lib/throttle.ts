import type { Clock } from './clock.ts';
import { createRecentMap } from './recentMap.ts';

const maxKeys = 10_000;

/** Lets something happen at most once in an interval for each key. */
export interface Throttle {
  /** True when the key's turn has come; the interval starts again with it. */
  take(key: string): boolean;
  /** The key's turn was not used: the next `take` succeeds. */
  giveBack(key: string): void;
}

/** `intervalMs` between two turns of a key. Of the keys within that interval, the latest 10,000 are remembered. */
export function createThrottle(clock: Pick<Clock, 'nowMs'>, intervalMs: number): Throttle {
  const taken = createRecentMap<string, true>({ maxEntries: maxKeys, ageMs: intervalMs, clock });
  return {
    take(key) {
      if (taken.has(key)) return false;
      taken.set(key, true);
      return true;
    },
    giveBack: taken.delete,
  };
}
