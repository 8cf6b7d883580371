import { setTimeout as delay } from 'node:timers/promises';
import { compact } from './compact.ts';

/** The only source of time and timers, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds since some moment of the past. Never goes back, and counts the time that a process was paused. */
  steadyMs(): number;
  /**
   * Calls `callback` once after `delayMs`; returns a function that cancels the call. A process does not stay alive for a
   * call in the background.
   */
  after(delayMs: number, callback: () => void, mode?: 'background'): () => void;
  /** Resolves after `delayMs`; rejects when `signal` aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay of `setTimeout`, which fires at once for a longer one. */
const longestMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  steadyMs: () => performance.now(),
  after(delayMs, callback, mode) {
    const timer = setTimeout(callback, Math.min(delayMs, longestMs));
    if (mode === 'background') timer.unref();
    return () => clearTimeout(timer);
  },
  sleep: (delayMs, signal) => delay(Math.min(delayMs, longestMs), undefined, compact({ signal })),
};

/** The last second that RFC 3339 can write. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * RFC 3339 in UTC with whole seconds, the format of Kubernetes timestamps. A later time than it can write becomes the last one: the clock
 * of a development chain can be set to anything.
 */
export function toRfc3339(epochMs: number): string {
  return `${new Date(Math.min(epochMs, lastMs)).toISOString().slice(0, 19)}Z`;
}

/** An RFC 3339 timestamp in milliseconds since the epoch; undefined when it is absent or invalid. */
export function parseRfc3339(text: string | undefined): number | undefined {
  const epochMs = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
