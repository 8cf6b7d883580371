import type { Clock } from './clock.ts';
import { createRecentMap } from './recentMap.ts';

const maxKeys = 10_000;

/** Lets something happen at most once in an interval for each key. */
export interface Throttle {
  /** True when the key is due; its interval then starts again. */
  take(key: string): boolean;
  /** Takes the last `take` back: the next one succeeds. */
  giveBack(key: string): void;
}

/** `intervalMs` is the least time between two successes for a key. The latest 10,000 keys are remembered. */
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
