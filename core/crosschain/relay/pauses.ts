import { createBoundedMap } from '../../lib/boundedMap.ts';
import type { Clock } from '../../lib/clock.ts';

const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const maxRemembered = 20_000;

/** Pauses after failures, by key, that double up to half a minute. In memory: forgetting one costs one more attempt. */
export interface Pauses {
  isPaused(key: string): boolean;
  failed(key: string): void;
  succeeded(key: string): void;
}

export function createPauses(clock: Clock): Pauses {
  const pauses = createBoundedMap<string, { lengthMs: number; untilMs: number }>(maxRemembered);
  return {
    isPaused: (key) => clock.nowMs() < (pauses.get(key)?.untilMs ?? 0),
    failed(key) {
      const lengthMs = Math.min(longestPauseMs, 2 * (pauses.get(key)?.lengthMs ?? firstPauseMs / 2));
      pauses.set(key, { lengthMs, untilMs: clock.nowMs() + lengthMs });
    },
    succeeded: (key) => void pauses.delete(key),
  };
}
