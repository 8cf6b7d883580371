import { setTimeout as delay } from 'node:timers/promises';
import { compact } from './compact.ts';

/** The only source of time and timers, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Calls `callback` once after `delayMs`; the answer cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /** Resolves after `delayMs`; rejects when `signal` aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  sleep: (delayMs, signal) => delay(delayMs, undefined, compact({ signal })),
};

/** RFC 3339 in UTC with whole seconds, as Kubernetes writes its times. */
export function toRfc3339(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since the epoch of an RFC 3339 text; undefined when there is none or it is unreadable. */
export function parseRfc3339(text: string | undefined): number | undefined {
  const epochMs = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
