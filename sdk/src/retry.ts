import { SlipwayError } from './error.ts';
import type { Runtime } from './runtime.ts';

const backoff = { baseMs: 250, maxMs: 10_000 };
const passingStatuses = [408, 429, 502, 503, 504];

/** What decides whether a failed attempt is repeated. */
export interface Failure {
  error: unknown;
  /** Attempts before this one. */
  attempt: number;
  /** Whether repeating the request has the effect of making it once. */
  isSafe: boolean;
}

/** How long to wait before the next attempt; undefined when there is none to make. */
export function retryWaitMs({ error, attempt, isSafe }: Failure, runtime: Runtime): number | undefined {
  if (!isSafe || !(error instanceof SlipwayError) || !isPassing(error)) return undefined;
  return Math.max(backoffMs(runtime, attempt, backoff), error.retryAfterMs ?? 0);
}

/** Doubles after each of the failures. Clients that failed together come back one after the other. */
export function backoffMs(
  { random }: Pick<Runtime, 'random'>,
  failures: number,
  { baseMs, maxMs }: { baseMs: number; maxMs: number },
): number {
  return Math.min(maxMs, baseMs * 2 ** failures) * (0.5 + random() / 2);
}

/**
 * Whether the same request may succeed later. A conflict says so by its Retry-After, because the first attempt still runs, and so does a
 * limit of the service: a budget that is used up stays so until something is deleted.
 */
export function isPassing({ status, reason, retryAfterMs }: SlipwayError): boolean {
  if (status === 0) return reason === 'Unreachable';
  const saysWhen = status === 409 || reason === 'TooManyRequests';
  return saysWhen ? retryAfterMs !== undefined : passingStatuses.includes(status);
}
