export interface BackoffOptions {
  baseMs: number;
  maxMs: number;
  /** In [0, 1); Math.random when absent. */
  random?: () => number;
}

/** The wait after the `failures`th failure (from 1): doubles each time, with jitter between 50 % and 100 % of it. */
export function backoffMs(failures: number, { baseMs, maxMs, random = Math.random }: BackoffOptions): number {
  const fullMs = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return fullMs * (0.5 + random() / 2);
}
