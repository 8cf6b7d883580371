import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { type Bucket, type BucketLimit, createBucket } from '../../../core/lib/work/tokenBucket.ts';

/** `take` and `check` throw TooManyRequests, with the time to wait, if the caller is over its limit. */
export interface RateLimit {
  /** Counts a request of a caller, and remembers `keyId` as one of its keys. */
  take(caller: string, keyId?: string): void;
  /** Checks the caller that last used a key, without counting and before any work is done for a request. */
  check(keyId: string): void;
  /** Counts what a request of a caller costs beyond one request. Refuses nothing: the next one waits until it is paid. */
  charge(caller: string, requests: number): void;
}

export const noRateLimit: RateLimit = {
  take: () => undefined,
  check: () => undefined,
  charge: () => undefined,
};

export interface Refusal {
  /** What was exceeded: a clause for the message. */
  describe(): string;
  onRefused(): void;
}

const maxKeys = 100_000;

/** Above this many callers, full buckets are forgotten. */
const sweepAt = 10_000;

/** One token bucket per caller. A rate of 0 means unlimited. */
export function createRateLimit(limit: BucketLimit, clock: Clock, refusal: Refusal): RateLimit {
  if (limit.perSecond === 0) return noRateLimit;
  const callers = createBoundedMap<string, string>(maxKeys);
  const buckets = new Map<string, Bucket>();
  let sweepSize = sweepAt;

  function sweep(): void {
    for (const [caller, bucket] of buckets) if (bucket.isFull()) buckets.delete(caller);
    sweepSize = Math.max(sweepAt, buckets.size * 2);
  }

  function refuseUntil(waitMs: number): void {
    if (waitMs === 0) return;
    refusal.onRefused();
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new AppError('TooManyRequests', `${refusal.describe()}; retry later`, { retryAfterSeconds });
  }

  function bucketOf(caller: string): Bucket {
    if (buckets.size >= sweepSize) sweep();
    const bucket = buckets.get(caller) ?? createBucket(limit, clock);
    buckets.set(caller, bucket);
    return bucket;
  }

  return {
    take(caller, keyId) {
      if (keyId !== undefined && callers.get(keyId) !== caller) callers.set(keyId, caller);
      refuseUntil(bucketOf(caller).take());
    },
    charge: (caller, requests) => bucketOf(caller).charge(requests),
    check(keyId) {
      const caller = callers.get(keyId);
      const bucket = caller === undefined ? undefined : buckets.get(caller);
      refuseUntil(bucket?.waitMs() ?? 0);
    },
  };
}
