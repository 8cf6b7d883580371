import type { Runtime } from '../runtime.ts';

export interface ManualRuntime extends Runtime {
  /** The waits that were asked for, in order. */
  readonly waits: number[];
}

/** Time passes at once: each wait is recorded and ends in the next turn. Limits of calls are never reached. */
export function createInstantRuntime(): ManualRuntime {
  const waits: number[] = [];
  let nowMs = Date.UTC(2026, 0, 15);
  return {
    waits,
    nowMs: () => nowMs,
    after(ms, done) {
      // The limit of a call, not a wait.
      if (ms >= 60_000) return () => {};
      waits.push(ms);
      const timer = setImmediate(() => {
        nowMs += ms;
        done();
      });
      return () => clearImmediate(timer);
    },
    random: () => 1,
  };
}
