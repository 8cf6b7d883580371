import type { Clock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { type Bucket, type BucketLimit, createBucket } from './tokenBucket.ts';

/** Counts a request of `caller`; throws TooManyRequests, with the time to wait, when it has used up its share. */
export type RateLimit = (caller: string) => void;

/** Callers beyond this many are remembered only while their buckets are not full. */
const sweepAt = 10_000;

/** One token bucket for each caller. A rate of 0 is no limit. */
export function createRateLimit(limit: BucketLimit, clock: Clock): RateLimit {
  if (limit.perSecond === 0) return () => undefined;
  const buckets = new Map<string, Bucket>();
  let sweepSize = sweepAt;

  function sweep(): void {
    for (const [caller, bucket] of buckets) if (bucket.isFull()) buckets.delete(caller);
    sweepSize = Math.max(sweepAt, buckets.size * 2);
  }

  return (caller) => {
    if (buckets.size >= sweepSize) sweep();
    const bucket = buckets.get(caller) ?? createBucket(limit, clock);
    buckets.set(caller, bucket);
    const waitMs = bucket.take();
    if (waitMs === 0) return;
    throw new AppError(
      'TooManyRequests',
      `this API key has sent more than ${limit.perSecond} requests a second`,
      { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
    );
  };
}
