import { type Monotonic, systemMonotonic } from '../monotonic.ts';

/** The cluster's time, learned from responses and extrapolated by a monotonic clock. */
export interface ServerClock {
  /** Takes the Date header of a response that was just received. */
  learn(dateHeader: string | undefined): void;
  /** Milliseconds since the epoch; undefined when nothing was learned within the last minute. */
  nowMs(): number | undefined;
}

const maxAgeMs = 60_000;

/** The header has whole seconds and some latency: the result may be about a second behind, never ahead. */
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
