export interface BackoffOptions {
  baseMs: number;
  maxMs: number;
  /** In [0, 1); Math.random when absent. */
  random?: () => number;
}

/** How long to wait before the attempt after the `failures`th failure (from 1): doubles, between half and all of it. */
export function backoffMs(failures: number, { baseMs, maxMs, random = Math.random }: BackoffOptions): number {
  const fullMs = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return fullMs * (0.5 + random() / 2);
}
