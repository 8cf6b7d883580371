import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { PluginReport } from '../../core/plugins/plugin.ts';

/** A run whose steps are all done, and what it depended on. */
interface DoneRun {
  basis: string;
  report: PluginReport;
  transactions: readonly string[];
}

/** What is known of the last runs, by plugin. Nothing is lost with it: a run looks before it sends. */
export interface RunMemory {
  /** The last run, if it depended on the same. */
  done(key: string, basis: string): DoneRun | undefined;
  succeed(key: string, run: DoneRun): void;
  /** Returns when to try again: less and less often, because somebody must change something first. */
  fail(key: string, basis: string, nowMs: number): number;
  /** For how long a plugin that failed is left alone. */
  restMs(key: string, basis: string, nowMs: number): number;
  forget(key: string): void;
}

const failedMs = 30_000;
const longestFailedMs = 600_000;
const maxRemembered = 20_000;

export function createRunMemory(): RunMemory {
  const runs = createBoundedMap<string, DoneRun>(maxRemembered);
  const failures = createBoundedMap<string, { basis: string; count: number; untilMs: number }>(maxRemembered);
  return {
    done(key, basis) {
      const run = runs.get(key);
      return run?.basis === basis ? run : undefined;
    },
    succeed(key, run) {
      runs.set(key, run);
      failures.delete(key);
    },
    fail(key, basis, nowMs) {
      const former = failures.get(key);
      const count = former?.basis === basis ? former.count + 1 : 0;
      const restMs = Math.min(longestFailedMs, failedMs * 2 ** count);
      failures.set(key, { basis, count, untilMs: nowMs + restMs });
      return restMs;
    },
    restMs(key, basis, nowMs) {
      const former = failures.get(key);
      return former?.basis === basis ? Math.max(0, former.untilMs - nowMs) : 0;
    },
    forget(key) {
      runs.delete(key);
      failures.delete(key);
    },
  };
}
