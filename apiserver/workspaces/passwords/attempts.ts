import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { type Bucket, type BucketLimit, createBucket } from '../../http/limits/tokenBucket.ts';

/** How often somebody may be wrong. */
export interface Attempts {
  /** Takes an attempt for a name from a source; call the returned function if it was right. Throws TooManyRequests. */
  begin(name: string, source: string): () => void;
}

const perName: BucketLimit = { perSecond: 1 / 60, burst: 10 };
/** Many people may share an address, and behind an untrusted proxy everybody does. */
const perSource: BucketLimit = { perSecond: 1, burst: 100 };
const maxEntries = 10_000;

/** Counts wrong passwords of a name and of a source, in this replica. A right one forgives the name its wrong ones. */
export function createAttempts(clock: Clock): Attempts {
  const names = createBuckets(perName, clock);
  const sources = createBuckets(perSource, clock);
  return {
    begin(name, source) {
      const waitMs = Math.max(names.of(name).waitMs(), sources.of(source).waitMs());
      if (waitMs > 0) throw tooMany(waitMs);
      names.of(name).take();
      sources.of(source).take();
      return () => names.forget(name);
    },
  };
}

function createBuckets(limit: BucketLimit, clock: Clock) {
  const buckets = createBoundedMap<string, Bucket>(maxEntries);
  return {
    of(key: string): Bucket {
      const bucket = buckets.get(key) ?? createBucket(limit, clock);
      buckets.set(key, bucket);
      return bucket;
    },
    forget: (key: string) => buckets.delete(key),
  };
}

function tooMany(waitMs: number): AppError {
  return new AppError('TooManyRequests', 'too many wrong passwords: wait, or sign in another way', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
