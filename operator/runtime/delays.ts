import type { Clock } from '../../core/lib/clock.ts';
import { createMinHeap, type MinHeap } from '../../core/lib/work/minHeap.ts';

/** Keys that come back after a delay. */
export interface Delays {
  /** Of several delays of a key, the earliest counts. */
  set(key: string, delayMs: number): void;
  clear(): void;
}

interface Delay {
  key: string;
  dueMs: number;
}

/** A clock that lags behind its timers by more than this was set back. */
const clockToleranceMs = 1_000;

/**
 * One timer for all keys: each network has a key that waits for minutes. A delay also ends when it is over by a clock
 * that has jumped, as after a suspension, and a clock that was set back makes none longer.
 */
export function createDelays(clock: Clock, onEnd: (key: string) => void): Delays {
  const due = new Map<string, number>();
  let heap = createHeap();
  let timer: { dueMs: number; cancel(): void } | undefined;

  /** Ends what is due. What an earlier delay of its key replaced is only dropped. */
  function end(): void {
    const nowMs = clock.nowMs();
    for (let first = heap.peek(); first && first.dueMs <= nowMs; first = heap.peek()) {
      heap.pop();
      if (due.get(first.key) !== first.dueMs) continue;
      due.delete(first.key);
      onEnd(first.key);
    }
  }

  function rebuild(shiftMs: number): void {
    heap = createHeap();
    for (const [key, dueMs] of due) {
      due.set(key, dueMs + shiftMs);
      heap.push({ key, dueMs: dueMs + shiftMs });
    }
  }

  function arm(): void {
    const first = heap.peek();
    if (timer && timer.dueMs === first?.dueMs) return;
    timer?.cancel();
    timer = undefined;
    if (!first) return;
    const { dueMs } = first;
    timer = { dueMs, cancel: clock.after(Math.max(0, dueMs - clock.nowMs()), () => onTimer(dueMs)) };
  }

  function onTimer(dueMs: number): void {
    timer = undefined;
    const lagMs = dueMs - clock.nowMs();
    if (lagMs > clockToleranceMs) rebuild(-lagMs);
    end();
    arm();
  }

  return {
    set(key, delayMs) {
      end();
      const dueMs = clock.nowMs() + delayMs;
      const known = due.get(key);
      if (known === undefined || known > dueMs) {
        due.set(key, dueMs);
        heap.push({ key, dueMs });
        // Replaced delays are not searched for: they are left out once they are more than what counts.
        if (heap.size() > 2 * due.size + 64) rebuild(0);
      }
      arm();
    },
    clear() {
      due.clear();
      heap = createHeap();
      arm();
    },
  };
}

const createHeap = (): MinHeap<Delay> => createMinHeap(({ dueMs }) => dueMs);
