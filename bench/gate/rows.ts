import type { Goal } from '../performance/goals.ts';
import type { StoredRow } from './stored.ts';
import { type Reading, type Verdict, verdictOf } from './verdict.ts';

/** A ratio that is measured now, was stored, or both. */
export interface Row {
  work: string;
  reading: Reading | undefined;
  now: number | undefined;
  verdict: Verdict;
}

export type Measured = Pick<Goal, 'work' | 'is' | 'value'>;

/** Compares a ratio with the stored one of the same work. */
export function compare({ work, is, value }: Measured, stored: readonly StoredRow[]): Row {
  const reading = stored.find((row) => row.work === work);
  return { work, reading, now: value, verdict: verdictOf({ is, before: reading, now: value }) };
}

/** A row for each ratio that is measured now, and for each stored one that is not. */
export function rowsOf(measured: readonly Measured[], stored: readonly StoredRow[]): Row[] {
  const lost = stored.filter(({ work }) => measured.every((goal) => goal.work !== work));
  return [
    ...measured.map((goal) => compare(goal, stored)),
    ...lost.map((row): Row => ({ work: row.work, reading: row, now: undefined, verdict: 'not measured' })),
  ];
}
