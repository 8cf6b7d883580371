import type { Anchor } from '../../core/deploy/anchor.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { type Backoff, doubledMs } from '../../core/lib/work/backoff.ts';
import type { PluginReport } from '../../core/plugins/plugin.ts';

/** A run whose steps are all done, and what it depended on. */
interface DoneRun {
  basis: string;
  report: PluginReport;
  /** The newest block with one of its transactions; undefined when it has none. */
  anchor: Anchor | undefined;
}

/** The last runs, by plugin. Losing them costs nothing but requests: a run checks the chain before it sends. */
export interface RunMemory {
  /** The last run, if it depended on the same. */
  done(key: string, basis: string): DoneRun | undefined;
  succeed(key: string, run: DoneRun): void;
  /** Returns when to try again: less and less often, because somebody must change something first. */
  fail(key: string, basis: string, nowMs: number): number;
  /** Returns when to try again what may soon succeed by itself. */
  wait(key: string, basis: string, nowMs: number): number;
  /** How long a plugin that failed or waits is left alone. */
  restMs(key: string, basis: string, nowMs: number): number;
  /** Whether a run that depended on the same has ended without being done. */
  hasTried(key: string, basis: string): boolean;
  forget(key: string): void;
}

const afterFailure: Backoff = { baseMs: 30_000, maxMs: 600_000 };
/** Software starts within seconds, and its users wait for it. */
const whileWaiting: Backoff = { baseMs: 250, maxMs: 2000 };
const maxRemembered = 20_000;

export function createRunMemory(): RunMemory {
  const runs = createBoundedMap<string, DoneRun>(maxRemembered);
  const tries = createBoundedMap<string, { basis: string; pace: Backoff; count: number; untilMs: number }>(
    maxRemembered,
  );
  function rest(key: string, basis: string, { pace, nowMs }: { pace: Backoff; nowMs: number }): number {
    const former = tries.get(key);
    const count = former?.basis === basis && former.pace === pace ? former.count + 1 : 1;
    const restMs = doubledMs(count, pace);
    tries.set(key, { basis, pace, count, untilMs: nowMs + restMs });
    return restMs;
  }
  return {
    done(key, basis) {
      const run = runs.get(key);
      return run?.basis === basis ? run : undefined;
    },
    succeed(key, run) {
      runs.set(key, run);
      tries.delete(key);
    },
    fail: (key, basis, nowMs) => rest(key, basis, { pace: afterFailure, nowMs }),
    wait: (key, basis, nowMs) => rest(key, basis, { pace: whileWaiting, nowMs }),
    restMs(key, basis, nowMs) {
      const former = tries.get(key);
      return former?.basis === basis ? Math.max(0, former.untilMs - nowMs) : 0;
    },
    hasTried: (key, basis) => tries.get(key)?.basis === basis,
    forget(key) {
      runs.delete(key);
      tries.delete(key);
    },
  };
}
