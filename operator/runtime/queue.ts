import type { Clock } from '../../core/lib/clock.ts';

/**
 * A queue of keys. A key waits at most once; while it is being worked on it is not handed out again, but an add in
 * that time puts it back when it is done. Failed keys come back after a growing, jittered delay.
 */
export interface WorkQueue {
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
  /** The next key, when there is one; undefined once the queue is closed. */
  next(): Promise<string | undefined>;
  /** Ends the work on `key`. */
  done(key: string): void;
  /** Puts `key` back after its back-off; the answer is the delay in ms. */
  retry(key: string): number;
  /** Forgets the failures of `key`. */
  forget(key: string): void;
  depth(): number;
  close(): void;
}

export interface QueueMetrics {
  /** A key was handed out after waiting `seconds`. */
  waited(seconds: number): void;
  depthIs(depth: number): void;
  retried(): void;
}

export interface QueueOptions {
  clock: Clock;
  metrics?: QueueMetrics;
  baseDelayMs?: number;
  maxDelayMs?: number;
  random?: () => number;
}

export function createWorkQueue(options: QueueOptions): WorkQueue {
  const { clock, metrics, baseDelayMs = 200, maxDelayMs = 60_000, random = Math.random } = options;
  /** Waiting keys in order, each with the time at which it was added. */
  const waiting = new Map<string, number>();
  const working = new Set<string>();
  const dirty = new Set<string>();
  const failures = new Map<string, number>();
  const timers = new Map<string, { dueMs: number; cancel: () => void }>();
  const takers: ((key: string | undefined) => void)[] = [];
  let isClosed = false;

  function add(key: string): void {
    if (isClosed || waiting.has(key)) return;
    if (working.has(key)) {
      dirty.add(key);
      return;
    }
    waiting.set(key, clock.nowMs());
    handOut();
  }

  function handOut(): void {
    while (takers.length > 0 && waiting.size > 0) takers.shift()?.(take());
    metrics?.depthIs(waiting.size);
  }

  function take(): string | undefined {
    for (const [key, addedMs] of waiting) {
      waiting.delete(key);
      working.add(key);
      metrics?.waited((clock.nowMs() - addedMs) / 1000);
      return key;
    }
    return undefined;
  }

  /** The earliest of several delayed adds of a key wins. */
  function addAfter(key: string, delayMs: number): void {
    if (isClosed) return;
    const dueMs = clock.nowMs() + delayMs;
    const existing = timers.get(key);
    if (existing && existing.dueMs <= dueMs) return;
    existing?.cancel();
    const cancel = clock.after(delayMs, () => {
      timers.delete(key);
      add(key);
    });
    timers.set(key, { dueMs, cancel });
  }

  return {
    add,
    addAfter,
    next: () =>
      new Promise((resolve) => {
        if (isClosed) {
          resolve(undefined);
          return;
        }
        takers.push(resolve);
        handOut();
      }),
    done(key) {
      working.delete(key);
      if (dirty.delete(key)) add(key);
    },
    retry(key) {
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      metrics?.retried();
      const fullMs = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(count, 20));
      const delayMs = Math.round(fullMs * (0.5 + random() / 2));
      addAfter(key, delayMs);
      return delayMs;
    },
    forget: (key) => void failures.delete(key),
    depth: () => waiting.size,
    close() {
      isClosed = true;
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
      waiting.clear();
      for (const taker of takers.splice(0)) taker(undefined);
    },
  };
}
