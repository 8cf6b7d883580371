import type { Clock } from '../../../core/lib/clock.ts';
import { type BucketLimit, createBucket } from '../../../core/lib/work/tokenBucket.ts';
import { createBuckets } from './buckets.ts';

interface SourceLimits {
  /** What all sources may do together, and each of them. */
  everybody: BucketLimit;
  perSource: BucketLimit;
  /** What sources that ask seldom may do besides, together, when the others have used up what is for everybody. */
  reserve: BucketLimit;
}

/** Work that strangers can cause: bounded for each source, and for all. */
export interface SourceBudget {
  /** Counts a request of a source and returns 0, or returns the milliseconds that it has to wait. */
  spend(source: string): number;
}

/** A source that asks no more often than this asks seldom, as somebody does who signs in. */
const seldom: BucketLimit = { perSecond: 1 / 60, burst: 3 };

/** Sources that ask often, however many they are, leave the reserve to the others. */
export function createSourceBudget(
  { everybody, perSource, reserve }: SourceLimits,
  clock: Clock,
): SourceBudget {
  const all = createBucket(everybody, clock);
  const reserved = createBucket(reserve, clock);
  const sources = createBuckets(perSource, clock);
  const calm = createBuckets(seldom, clock);
  return {
    spend(source) {
      const isCalm = calm.of(source).take() === 0;
      const own = sources.of(source);
      // What the source may not do is not taken from the others.
      const waitMs = own.waitMs() || all.take();
      if (waitMs > 0 && (own.waitMs() > 0 || !isCalm || reserved.take() > 0)) return waitMs;
      own.take();
      return 0;
    },
  };
}
