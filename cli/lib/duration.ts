import { fail } from './failure.ts';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A Date cannot hold every time that is further away. */
const longestMs = 100 * 365 * 86_400_000;

/** A duration such as "90s", "10m" or "1h30m", in milliseconds. A number alone means seconds. */
export function parseDurationMs(text: string, option: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : sumMs(text, option);
  if (ms <= longestMs) return ms;
  throw fail('usage', `${option} ${text} is more than 100 years.`, 'Write 90s, 10m or 1h30m.');
}

function sumMs(text: string, option: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|[smhd])/gy)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw fail('usage', `${option} ${text} is not a duration.`, 'Write 90s, 10m or 1h30m.');
  }
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0), 0);
}

/** How long ago, in one unit: 5s, 12m, 3h, 4d. */
export function ageText(sinceMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
