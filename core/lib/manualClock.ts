import type { Clock } from './clock.ts';

/** A clock for tests: it stands still until it is advanced. */
export interface ManualClock extends Clock {
  /** Moves time forward by `ms` and calls every timer that falls due, in order. */
  advance(ms: number): void;
}

export function createManualClock(startMs = 1_700_000_000_000): ManualClock {
  let nowMs = startMs;
  let timers: { dueMs: number; callback: () => void }[] = [];

  function after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: nowMs + delayMs, callback };
    timers.push(timer);
    return () => {
      timers = timers.filter((candidate) => candidate !== timer);
    };
  }

  function nextDue(untilMs: number) {
    const [first] = timers.filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs);
    return first;
  }

  return {
    nowMs: () => nowMs,
    steadyMs: () => nowMs,
    after,
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = after(delayMs, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      }),
    advance(ms) {
      const untilMs = nowMs + ms;
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
        const due = timer;
        timers = timers.filter((candidate) => candidate !== due);
        nowMs = Math.max(nowMs, due.dueMs);
        due.callback();
      }
      nowMs = untilMs;
    },
  };
}
