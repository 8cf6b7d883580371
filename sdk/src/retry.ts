import { SlipwayError } from './error.ts';
import type { Runtime } from './runtime.ts';

const firstWaitMs = 250;
const longestWaitMs = 10_000;
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
  const backOffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
  // Clients that failed together come back one after the other.
  const spreadMs = backOffMs * (0.5 + runtime.random() / 2);
  return Math.max(spreadMs, error.retryAfterMs ?? 0);
}

/** Whether the same request may succeed later. A conflict says so by its Retry-After: the first attempt still runs. */
export function isPassing({ status, reason, retryAfterMs }: SlipwayError): boolean {
  if (status === 0) return reason === 'Unreachable';
  return status === 409 ? retryAfterMs !== undefined : passingStatuses.includes(status);
}
