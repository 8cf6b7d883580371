import { maxUsageDays, type UsageDay } from '../../../core/api/resources/records/usageRecord.ts';

/** What is counted for a workspace. */
export type UsageCounts = Omit<UsageDay, 'day'>;

export const noUsage: UsageCounts = { networkSeconds: 0, rpcCalls: 0, transactions: 0 };

/** The day of a time, in UTC: `2031-01-31`. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Sums, in whole numbers. */
export function sumOf(one: UsageCounts, other: Partial<UsageCounts>): UsageCounts {
  const { networkSeconds = 0, rpcCalls = 0, transactions = 0 } = other;
  return {
    networkSeconds: one.networkSeconds + networkSeconds,
    rpcCalls: one.rpcCalls + rpcCalls,
    transactions: one.transactions + transactions,
  };
}

/** The days with `counts` added to `day`, oldest first; the oldest are dropped beyond what a record keeps. */
export function addToDay(days: readonly UsageDay[], day: string, counts: UsageCounts): UsageDay[] {
  const known = days.find((one) => one.day === day);
  const others = days.filter((one) => one.day !== day);
  return [...others, { day, ...sumOf(known ?? noUsage, counts) }]
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .slice(-maxUsageDays);
}
