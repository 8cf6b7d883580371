import type { Runtime } from '../src/runtime.ts';

export interface InstantRuntime extends Runtime {
  /** The waits that passed, in order. */
  readonly waits: number[];
  /** Lets the time pass for all limits that are running. */
  passLimits(): void;
}

/** From here on it is the limit of something, not a wait. */
const limitMs = 45_000;

/** Waits are recorded and end in the next turn. Limits are reached only when a test says so. */
export function createInstantRuntime(): InstantRuntime {
  const waits: number[] = [];
  const limits = new Set<() => void>();
  let nowMs = Date.UTC(2026, 0, 15);
  return {
    waits,
    nowMs: () => nowMs,
    after(ms, done) {
      if (ms >= limitMs) {
        limits.add(done);
        return () => limits.delete(done);
      }
      waits.push(ms);
      const timer = setImmediate(() => {
        nowMs += ms;
        done();
      });
      return () => clearImmediate(timer);
    },
    random: () => 1,
    passLimits() {
      for (const done of limits) done();
    },
  };
}
