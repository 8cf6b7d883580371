import { createBoundedMap } from '../../lib/boundedMap.ts';
import type { Clock } from '../../lib/clock.ts';
import { doubledMs } from '../../lib/work/backoff.ts';

const backoff = { baseMs: 1000, maxMs: 30_000 };
const maxRemembered = 20_000;

/** Pauses after failures, by key, that double up to half a minute. In memory: forgetting one costs one more attempt. */
export interface Pauses {
  isPaused(key: string): boolean;
  failed(key: string): void;
  succeeded(key: string): void;
}

export function createPauses(clock: Clock): Pauses {
  const pauses = createBoundedMap<string, { failures: number; untilMs: number }>(maxRemembered);
  return {
    isPaused: (key) => clock.nowMs() < (pauses.get(key)?.untilMs ?? 0),
    failed(key) {
      const failures = (pauses.get(key)?.failures ?? 0) + 1;
      pauses.set(key, { failures, untilMs: clock.nowMs() + doubledMs(failures, backoff) });
    },
    succeeded: (key) => void pauses.delete(key),
  };
}
