/** A ratio of one commit: the median of several runs, and the least and the most of them. */
export interface Reading {
  ratio: number;
  least: number;
  most: number;
}

/** A ratio now, beside what it was. One that is not a number may also be null, as JSON has it. */
export interface Comparison {
  is: 'atMost' | 'atLeast';
  before: Reading | undefined;
  now: number;
}

export type Verdict = 'same' | 'better' | 'worse' | Gap;

/** Why two commits cannot be compared. */
type Gap = 'not stored' | 'not measured' | 'not a number';

/**
 * The part of a ratio by which it may differ in addition to the spread of its runs. Three runs show 1.7 standard deviations on
 * average, but sometimes much less, and there are about twenty ratios. If ratios of one commit have a standard deviation of
 * 3 percent, one gate in 20,000 is wrong with this margin, and a loss of 20 percent is found in three of four; with 5
 * percent, one gate in 150 is wrong (simulated, with normal ratios and the second run of what looks worse). Smaller losses are
 * left to the full benchmarks.
 */
const margin = 0.1;

/**
 * The part of a ratio that its spread counts for at most, so that one outlier of three runs does not allow every loss until
 * the ratios are stored again. Three runs with a standard deviation of 5 percent are spread wider than this once in twelve
 * times, and the gate is not wrong more often. With an outlier of 50 percent, a loss of 30 percent is found in three of five
 * cases instead of never (standard deviation of 3 percent, simulated as above).
 */
const mostSpread = 0.15;

/** Whether a ratio has changed by more than the spread of the former runs and the margin, or why that is not known. */
export function verdictOf({ is, before, now }: Comparison): Verdict {
  if (!before) return 'not stored';
  const { ratio, least, most } = before;
  if (![ratio, least, most, now].every(Number.isFinite)) return 'not a number';
  const allowed = Math.min(most - least, mostSpread * ratio) + margin * ratio;
  const change = is === 'atMost' ? now - ratio : ratio - now;
  if (change > allowed) return 'worse';
  return change < -allowed ? 'better' : 'same';
}

/** The better one of two runs. What is not a number is not better than anything. */
export function betterOf({ is }: Pick<Comparison, 'is'>, first: number, second: number): number {
  const numbers = [first, second].filter(Number.isFinite);
  if (numbers.length === 0) return first;
  return is === 'atMost' ? Math.min(...numbers) : Math.max(...numbers);
}

const failures: Partial<Record<Verdict, string>> = {
  worse: 'is worse',
  'not stored':
    'was measured now, but is not among the stored ratios; store them again with the same benchmarks',
  'not measured':
    'is among the stored ratios, but its benchmark no longer has it; store them again without it',
  'not a number': 'has a ratio that is not a number, stored or now',
};

/** What makes the gate fail, in words. */
export function failuresOf(rows: readonly { work: string; verdict: Verdict }[]): string[] {
  return rows.flatMap(({ work, verdict }) => {
    const failure = failures[verdict];
    return failure ? [`${work}: ${failure}`] : [];
  });
}

/** The median, the least and the most of the ratios of several runs. */
export function readingOf(ratios: readonly number[]): Reading {
  if (!ratios.every(Number.isFinite)) throw new Error(`not all ratios are numbers: ${ratios.join(', ')}`);
  const sorted = [...ratios].sort((a, b) => a - b);
  const [least, ratio, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (least === undefined || ratio === undefined || most === undefined)
    throw new Error('nothing was measured');
  return { ratio, least, most };
}
