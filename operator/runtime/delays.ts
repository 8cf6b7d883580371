import type { Clock } from '../../core/lib/clock.ts';
import { createMinHeap } from '../../core/lib/work/minHeap.ts';

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

interface Due {
  key: string;
  dueMs: number;
}

/** When keys are due, the earliest first. */
function createDueKeys() {
  const times = new Map<string, number>();
  const createHeap = () => createMinHeap<Due>(({ dueMs }) => dueMs);
  let heap = createHeap();

  function rebuild(): void {
    heap = createHeap();
    for (const [key, dueMs] of times) heap.push({ key, dueMs });
  }

  return {
    firstMs: () => heap.peek()?.dueMs,
    add(key: string, dueMs: number): void {
      const known = times.get(key);
      if (known !== undefined && known <= dueMs) return;
      times.set(key, dueMs);
      heap.push({ key, dueMs });
      // What an earlier time of its key replaced is not searched for: it is left out once there is more of it than counts.
      if (heap.size() > 2 * times.size + 64) rebuild();
    },
    /** Removes the keys that are due, and returns them in their order. */
    take(nowMs: number): string[] {
      const taken: string[] = [];
      for (let first = heap.peek(); first && first.dueMs <= nowMs; first = heap.peek()) {
        heap.pop();
        if (times.get(first.key) !== first.dueMs) continue;
        times.delete(first.key);
        taken.push(first.key);
      }
      return taken;
    },
    shift(byMs: number): void {
      for (const [key, dueMs] of times) times.set(key, dueMs + byMs);
      rebuild();
    },
    clear(): void {
      times.clear();
      heap = createHeap();
    },
  };
}
