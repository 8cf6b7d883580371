import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { type Bucket, type BucketLimit, createBucket } from './tokenBucket.ts';

/** Both throw TooManyRequests, with the time to wait, when `caller` has used up its share. */
export interface RateLimit {
  /** Counts a request of a caller who is known for who it is. */
  take(caller: string): void;
  /** Counts nothing: for a first look, before anything is done for a request. */
  check(caller: string): void;
}

export const noRateLimit: RateLimit = { take: () => undefined, check: () => undefined };

/** Callers beyond this many are remembered only while their buckets are not full. */
const sweepAt = 10_000;

/** One token bucket for each caller. A rate of 0 is no limit. */
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
      `this API key has sent more than ${limit.perSecond} requests a second`,
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
