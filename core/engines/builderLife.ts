import type { Lease } from '../kube/types.ts';
import { type Clock, parseRfc3339 } from '../lib/clock.ts';

/** How long after the end of a Lease a builder that replaces another one may take to acquire it. */
const successionMs = 20_000;

/** Whether a builder lives, by its Lease. */
export interface BuilderLife {
  /** Another version of the Lease; undefined when it was deleted. */
  see(lease: Lease | undefined): void;
  isAlive(): boolean;
  stop(): void;
}

/**
 * A builder lives as long as its Lease changes. Its clock is compared with ours for the first Lease alone, which may be old; if
 * it is wrong, the next renewal says so. `onEnd` is called when the last one has become too old.
 */
export function createBuilderLife(clock: Clock, onEnd: () => void): BuilderLife {
  let untilMs = 0;
  let isFirst = true;
  let disarm: (() => void) | undefined;

  function arm(): void {
    disarm?.();
    const leftMs = untilMs - clock.nowMs();
    disarm = leftMs > 0 ? clock.after(leftMs, onEnd, 'background') : undefined;
  }

  return {
    see(lease) {
      const nowMs = clock.nowMs();
      const renewedMs = parseRfc3339(lease?.spec?.renewTime) ?? nowMs;
      const fromMs = isFirst ? Math.min(nowMs, renewedMs) : nowMs;
      const durationMs = (lease?.spec?.leaseDurationSeconds ?? 0) * 1000;
      // A Lease that was never there is not one that has just ended.
      if (lease || !isFirst) untilMs = fromMs + durationMs + successionMs;
      isFirst = false;
      arm();
    },
    isAlive: () => clock.nowMs() < untilMs,
    stop: () => disarm?.(),
  };
}
