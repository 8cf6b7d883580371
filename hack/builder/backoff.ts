import { doubledMs } from '../../core/lib/work/backoff.ts';

/** A build that failed. */
export interface Failure {
  /** How often, one after another. */
  count: number;
  atMs: number;
  reason: string;
}

const backoff = { baseMs: 60_000, maxMs: 3_600_000 };
const maxReason = 300;

/** When to try again: after a minute, then less and less often. Whoever wants it again, after a repair say, gets the minute. */
export function retryAtMs({ count, atMs }: Failure, wantedSinceMs: number | undefined): number {
  const isAnew = wantedSinceMs !== undefined && wantedSinceMs > atMs;
  return atMs + doubledMs(isAnew ? 1 : count, backoff);
}

/** The failure after `before`, in words of one line. */
export function failureAfter(before: Failure | undefined, error: unknown, atMs: number): Failure {
  const text = error instanceof Error ? error.message : String(error);
  const [line = ''] = text.slice(0, maxReason).trim().split('\n');
  const reason = line.replace(/\p{Cc}/gu, ' ').trim();
  return { count: (before?.count ?? 0) + 1, atMs, reason: reason === '' ? 'no reason given' : reason };
}
