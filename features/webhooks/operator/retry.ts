import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { backoffMs } from '../../../core/lib/work/backoff.ts';
import type { Answer } from './post.ts';

/** How long a delivery is tried, and after how long without any success a webhook is paused. */
export const keptMs = 24 * 3_600_000;

const hourMs = 3_600_000;
const schedule = { baseMs: 5_000, maxMs: hourMs };
/** The longest time that a receiver can ask for. */
const longestAskedMs = 6 * hourMs;

/** How long to wait after the `failures`th failure of a delivery: 5 s, doubled each time, at most an hour, with jitter. */
export function retryDelayMs(failures: number, random?: () => number): number {
  return Math.round(backoffMs(failures, { ...schedule, ...compact({ random }) }));
}

/** How long a receiver asks everybody to wait (429 and 503 with Retry-After in seconds or as a date); 0 if it does not. */
export function askedDelayMs({ status, retryAfter }: Answer, nowMs: number): number {
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return 0;
  const askedMs = /^\d{1,9}$/.test(retryAfter.trim())
    ? Number(retryAfter) * 1000
    : (parseRfc3339(retryAfter) ?? nowMs) - nowMs;
  return Math.min(Math.max(askedMs, 0), longestAskedMs);
}
