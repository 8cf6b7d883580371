import { cpuTimeMs } from './cpuTime.ts';

/** Lengths of a text that somebody else wrote. */
const lengths = [10_000, 100_000, 1_000_000];
const runs = 5;
/** What had to be ended as often is not tried again. */
const endlessRuns = 2;
/** What takes less is not told apart: a machine that does other things as well is busy for longer. */
const leastMs = 3;

/** More than a linear search grows by from one length to the next, on any machine; a quadratic one grows by about 100. */
export const tooMuchGrowth = 50;

/** By how much the time of a work grows with a text that is ten times as long. */
export function growthOf(work: (length: number) => () => unknown): number {
  return factorOf((length) => {
    const run = work(length);
    const startMs = cpuTimeMs();
    run();
    return cpuTimeMs() - startMs;
  });
}

/**
 * By how much a time grows with a text that is ten times as long: the larger one of two steps from 10 kB to 1 MB. Each time is
 * the shortest of several. Ends at the first step that is too large. `measure`: the milliseconds for a length. It may end at
 * the limit that it is given, and returns Infinity then.
 */
export function factorOf(measure: (length: number, limitMs: number) => number): number {
  let beforeMs = Number.POSITIVE_INFINITY;
  let largest = 0;
  for (const length of lengths) {
    // What others are compared with must be the shortest; the last one must only be short enough.
    const enoughMs = length === lengths.at(-1) ? (beforeMs * tooMuchGrowth) / 2 : leastMs;
    const limitMs = beforeMs * tooMuchGrowth * 4;
    const ms = shortestMs(() => measure(length, limitMs), enoughMs);
    if (!Number.isFinite(ms)) return ms;
    largest = Math.max(largest, ms / beforeMs);
    if (largest > tooMuchGrowth) return largest;
    beforeMs = ms;
  }
  return largest;
}

function shortestMs(measure: () => number, enoughMs: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  let endless = 0;
  for (let run = 0; run < runs && endless < endlessRuns && shortest > enoughMs; run++) {
    const ms = measure();
    if (!Number.isFinite(ms)) endless++;
    shortest = Math.min(shortest, Math.max(leastMs, ms));
  }
  return shortest;
}
