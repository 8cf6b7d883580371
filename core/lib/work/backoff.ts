export interface Backoff {
  baseMs: number;
  maxMs: number;
}

/** The wait after the `failures`th failure (from 1): doubles each time. */
export function doubledMs(failures: number, { baseMs, maxMs }: Backoff): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
}

/** Likewise, with jitter between 50 % and 100 % of it. `random` is in [0, 1). */
export function backoffMs(
  failures: number,
  { random = Math.random, ...backoff }: Backoff & { random?: () => number },
): number {
  return doubledMs(failures, backoff) * (0.5 + random() / 2);
}
