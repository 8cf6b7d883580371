import type { Clock } from '../../core/lib/clock.ts';
import { backoffMs } from '../../core/lib/work/backoff.ts';
import { createDelays } from './delays.ts';

/**
 * A queue of keys. A key waits at most once; while it is being worked on it is not handed out again, but an add in
 * that time requeues it when it is done. Failed keys come back after a growing, jittered delay.
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
  const { clock, metrics } = options;
  const { add, done, ...ready } = createReadyKeys(options);
  const delays = createDelays(clock, add);
  const backoff = createBackoff(options);
  let isClosed = false;

  function addAfter(key: string, delayMs: number): void {
    if (!isClosed) delays.set(key, delayMs);
  }

  return {
    addAfter,
    done,
    add(key) {
      if (!isClosed) add(key);
    },
    next: () => (isClosed ? Promise.resolve(undefined) : ready.next()),
    retry(key) {
      metrics?.retried();
      const delayMs = backoff.next(key);
      addAfter(key, delayMs);
      return delayMs;
    },
    forget: backoff.forget,
    depth: ready.depth,
    close() {
      isClosed = true;
      delays.clear();
      ready.close();
    },
  };
}

/** Keys that wait for a worker, and those that are worked on. */
function createReadyKeys({ clock, metrics }: QueueOptions) {
  /** In order, each with the time at which it was added. */
  const waiting = new Map<string, number>();
  const working = new Set<string>();
  const dirty = new Set<string>();
  const takers: ((key: string | undefined) => void)[] = [];

  function add(key: string): void {
    if (waiting.has(key)) return;
    if (working.has(key)) {
      dirty.add(key);
      return;
    }
    waiting.set(key, clock.nowMs());
    handOut();
  }

  function handOut(): void {
    for (const [key, addedMs] of waiting) {
      const taker = takers.shift();
      if (!taker) break;
      waiting.delete(key);
      working.add(key);
      metrics?.waited((clock.nowMs() - addedMs) / 1000);
      taker(key);
    }
    metrics?.depthIs(waiting.size);
  }

  return {
    add,
    next: () =>
      new Promise<string | undefined>((resolve) => {
        takers.push(resolve);
        handOut();
      }),
    done(key: string): void {
      working.delete(key);
      if (dirty.delete(key)) add(key);
    },
    depth: () => waiting.size,
    close(): void {
      waiting.clear();
      dirty.clear();
      for (const taker of takers.splice(0)) taker(undefined);
    },
  };
}

/** Growing, jittered delays by key. */
function createBackoff({ baseDelayMs = 200, maxDelayMs = 60_000, random = Math.random }: QueueOptions) {
  const failures = new Map<string, number>();
  return {
    next(key: string): number {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      return Math.round(backoffMs(count, { baseMs: baseDelayMs, maxMs: maxDelayMs, random }));
    },
    forget: (key: string) => void failures.delete(key),
  };
}
