/** Lengths of a text that somebody else wrote. */
const lengths = [10_000, 100_000, 1_000_000];
const runs = 3;
/** What takes less is not told apart: a machine that does other things as well is busy for longer. */
const leastMs = 3;

/** More than a linear search grows by from one length to the next, on any machine; a quadratic one grows by about 100. */
export const tooMuchGrowth = 30;

/**
 * By how much the time of a work grows with a text that is ten times as long: the larger one of two steps from 10 kB to 1 MB. Each
 * time is the shortest of several. Ends at the first step that is too large.
 */
export function growthOf(work: (length: number) => () => unknown): number {
  let beforeMs = 0;
  let largest = 0;
  for (const length of lengths) {
    const ms = Math.max(leastMs, shortestMs(work(length)));
    if (beforeMs > 0) largest = Math.max(largest, ms / beforeMs);
    if (largest > tooMuchGrowth) return largest;
    beforeMs = ms;
  }
  return largest;
}

function shortestMs(work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const startMs = performance.now();
    work();
    return performance.now() - startMs;
  });
  return Math.min(...times);
}
