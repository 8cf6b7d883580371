import { type Monotonic, systemMonotonic } from '../monotonic.ts';

/** The cluster's time, learnt from answers and carried on in between by a monotonic clock. */
export interface ServerClock {
  /** Takes the Date header of an answer that has just come. */
  learn(dateHeader: string | undefined): void;
  /** Milliseconds since the epoch; undefined when nothing was learnt within the last minute. */
  nowMs(): number | undefined;
}

const maxAgeMs = 60_000;

/** The header has whole seconds and travels for a while: the answer may be late by about a second, never early. */
export function createServerClock(monotonic: Monotonic = systemMonotonic): ServerClock {
  let known: { serverMs: number; atMs: number } | undefined;
  return {
    learn(dateHeader) {
      const serverMs = Date.parse(dateHeader ?? '');
      if (!Number.isNaN(serverMs)) known = { serverMs, atMs: monotonic() };
    },
    nowMs() {
      if (!known) return undefined;
      const ageMs = monotonic() - known.atMs;
      return ageMs > maxAgeMs ? undefined : known.serverMs + ageMs;
    },
  };
}
