import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { type Bucket, type BucketLimit, createBucket } from './tokenBucket.ts';

/** Both functions throw TooManyRequests, with the time to wait, if `caller` is over its limit. */
export interface RateLimit {
  /** Counts a request of an authenticated caller. */
  take(caller: string): void;
  /** Checks without counting, before any work is done for a request. */
  check(caller: string): void;
}

export const noRateLimit: RateLimit = { take: () => undefined, check: () => undefined };

/** Above this many callers, full buckets are forgotten. */
const sweepAt = 10_000;

/** One token bucket per caller. A rate of 0 means unlimited. */
export function createRateLimit(limit: BucketLimit, clock: Clock): RateLimit {
  if (limit.perSecond === 0) return noRateLimit;
  const buckets = new Map<string, Bucket>();
  let sweepSize = sweepAt;

  function sweep(): void {
    for (const [caller, bucket] of buckets) if (bucket.isFull()) buckets.delete(caller);
    sweepSize = Math.max(sweepAt, buckets.size * 2);
  }

  function refuseUntil(waitMs: number): void {
    if (waitMs === 0) return;
    throw new AppError(
      'TooManyRequests',
      `the API key exceeded its rate limit of ${limit.perSecond} requests per second; retry later`,
      { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
    );
  }

  return {
    take(caller) {
      if (buckets.size >= sweepSize) sweep();
      const bucket = buckets.get(caller) ?? createBucket(limit, clock);
      buckets.set(caller, bucket);
      refuseUntil(bucket.take());
    },
    check: (caller) => refuseUntil(buckets.get(caller)?.waitMs() ?? 0),
  };
}
