import type { Clock } from '../../core/lib/clock.ts';
import { createDueKeys } from '../../core/lib/work/dueKeys.ts';

/** Keys that come back after a delay. */
export interface Delays {
  /** Of several delays of a key, the earliest counts. */
  set(key: string, delayMs: number): void;
  clear(): void;
}

/** A clock that lags behind its timers by more than this was set back. */
const clockToleranceMs = 1_000;

/**
 * One timer for all keys: each network has a key that waits for minutes. A delay also ends when it is over by a clock
 * that has jumped, as after a suspension, and a clock that was set back makes none longer.
 */
export function createDelays(clock: Clock, onEnd: (key: string) => void): Delays {
  const waiting = createDueKeys();
  let timer: { dueMs: number; cancel(): void } | undefined;

  function arm(): void {
    const dueMs = waiting.firstMs();
    if (timer && timer.dueMs === dueMs) return;
    timer?.cancel();
    timer = undefined;
    if (dueMs === undefined) return;
    timer = { dueMs, cancel: clock.after(Math.max(0, dueMs - clock.nowMs()), () => onTimer(dueMs)) };
  }

  function onTimer(dueMs: number): void {
    timer = undefined;
    const lagMs = dueMs - clock.nowMs();
    if (lagMs > clockToleranceMs) waiting.shift(-lagMs);
    waiting.take(clock.nowMs()).forEach(onEnd);
    arm();
  }

  return {
    set(key, delayMs) {
      const nowMs = clock.nowMs();
      waiting.take(nowMs).forEach(onEnd);
      waiting.add(key, nowMs + delayMs);
      arm();
    },
    clear() {
      waiting.clear();
      arm();
    },
  };
}
