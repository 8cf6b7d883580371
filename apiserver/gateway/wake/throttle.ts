import type { Clock } from '../../../core/lib/clock.ts';

const maxKeys = 10_000;

/** Whether something that happens for a key may be told of now: at most once in `intervalMs` for each key. */
export function createThrottle(clock: Clock, intervalMs: number): (key: string) => boolean {
  const lastMs = new Map<string, number>();
  return (key) => {
    const nowMs = clock.nowMs();
    const last = lastMs.get(key);
    if (last !== undefined && nowMs - last < intervalMs) return false;
    if (lastMs.size >= maxKeys) lastMs.clear();
    lastMs.set(key, nowMs);
    return true;
  };
}
