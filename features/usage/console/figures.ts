import type { Usage } from '../../../sdk/src/generated/types.ts';

export type UsedBudget = Usage['budgets'][number];
type Day = Usage['days'][number];
export const measures = ['networkHours', 'rpcCalls', 'transactions'] as const;
export type Measure = (typeof measures)[number];

export interface Bar {
  day: string;
  value: number;
  /** From 0 to 100, where the highest bar is 100. A day with any use is never without a bar. */
  height: number;
}

const leastHeight = 4;

/** The bars of a measure, oldest first. */
export function barsOf(days: readonly Day[], measure: Measure): Bar[] {
  const highest = Math.max(...days.map((day) => day[measure]), 0);
  return days.map(({ day, [measure]: value }) => ({
    day,
    value,
    height: value === 0 ? 0 : Math.max(leastHeight, (value / highest) * 100),
  }));
}

export function totalOf(days: readonly Day[], measure: Measure): number {
  return days.reduce((sum, day) => sum + day[measure], 0);
}

/** How much of a budget is used, from 0 to 100; undefined where there is no limit. */
export function shareOf({ used, max }: UsedBudget): number | undefined {
  if (max === undefined) return undefined;
  return max === 0 ? 100 : Math.min(100, (used / max) * 100);
}

/** From here on a budget is shown as nearly used up. */
export const nearlyFull = 80;
