const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/**
 * When something happened: "5 min. ago", "just now"; empty for what is not a time. What seems to be less than a minute
 * ahead happened just now: clocks differ, and `nowMs` may be from before it.
 */
export function relativeTime(text: string | undefined, nowMs: number): string {
  const ms = Date.parse(text ?? '') - nowMs;
  if (Number.isNaN(ms)) return '';
  const [unit, size] = units.find(([, one]) => Math.abs(ms) >= one) ?? ['second', 1_000];
  return unit === 'second' ? 'just now' : relative.format(Math.trunc(ms / size), unit);
}

/** The same with seconds, for what happens every few of them: "12 sec. ago". */
export function exactRelativeTime(text: string | undefined, nowMs: number): string {
  const ms = nowMs - Date.parse(text ?? '');
  return ms >= 1_000 && ms < 60_000
    ? relative.format(-Math.floor(ms / 1_000), 'second')
    : relativeTime(text, nowMs);
}

/** When something is due: "in 2 hr.", "in less than a minute"; for what is over, how long ago that was. */
export function dueTime(text: string | undefined, nowMs: number): string {
  const ms = Date.parse(text ?? '') - nowMs;
  return ms > 0 && ms < 60_000 ? 'in less than a minute' : relativeTime(text, nowMs);
}

/** The date and the time in the zone of the browser. */
export function absoluteTime(text: string | undefined): string {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? '' : absolute.format(ms);
}

/** "1h 05m", "4m 09s"; "0s" for what is over. */
export function remaining(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const two = (value: number) => String(value).padStart(2, '0');
  if (days > 0) return `${days}d ${two(hours)}h`;
  if (hours > 0) return `${hours}h ${two(minutes)}m`;
  if (minutes > 0) return `${minutes}m ${two(seconds % 60)}s`;
  return `${seconds}s`;
}

const durationUnits: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The milliseconds of a duration such as "1h30m"; undefined for what is none. */
export function durationMs(text: string | undefined): number | undefined {
  if (!text || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, value = '', , unit = ''] of text.matchAll(/(\d+(\.\d+)?)(ms|s|m|h)/gy)) {
    total += Number(value) * (durationUnits[unit] ?? 0);
  }
  return total;
}
