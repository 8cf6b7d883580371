/** A ratio of one commit: the median of several runs, and the least and the most of them. */
export interface Reading {
  ratio: number;
  least: number;
  most: number;
}

/** A ratio now, beside what it was. */
export interface Comparison {
  is: 'atMost' | 'atLeast';
  before: Reading | undefined;
  now: number;
}

export type Verdict = 'same' | 'better' | 'worse' | 'new';

/**
 * The part of a ratio by which it may differ in addition to the spread of its runs. Three runs show 1.7 standard deviations on
 * average, but sometimes much less, and there are about twenty ratios. If ratios of one commit have a standard deviation of
 * 3 percent, one gate in 20,000 is wrong with this margin, and a loss of 20 percent is found in three of four; with 5
 * percent, one gate in 150 is wrong (simulated, with normal ratios and the second run of what looks worse). Smaller losses are
 * left to the full benchmarks.
 */
const margin = 0.1;

/** Whether a ratio has changed by more than the spread of the former runs and the margin. */
export function verdictOf({ is, before, now }: Comparison): Verdict {
  if (!before) return 'new';
  const allowed = before.most - before.least + margin * before.ratio;
  const change = is === 'atMost' ? now - before.ratio : before.ratio - now;
  if (change > allowed) return 'worse';
  return change < -allowed ? 'better' : 'same';
}

/** The median, the least and the most of the ratios of several runs. */
export function readingOf(ratios: readonly number[]): Reading {
  const sorted = [...ratios].sort((a, b) => a - b);
  const [least, ratio, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (least === undefined || ratio === undefined || most === undefined)
    throw new Error('nothing was measured');
  return { ratio, least, most };
}
