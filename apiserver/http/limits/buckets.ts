import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { type Bucket, type BucketLimit, createBucket } from '../../../core/lib/work/tokenBucket.ts';

/** Token buckets by name, such as the address of a caller. */
export interface Buckets {
  of(name: string): Bucket;
}

const maxBuckets = 10_000;

/** Above 10,000 names, the one that was new longest ago is forgotten. */
export function createBuckets(limit: BucketLimit, clock: Clock): Buckets {
  const buckets = createBoundedMap<string, Bucket>(maxBuckets);
  return {
    of(name) {
      const known = buckets.get(name);
      if (known) return known;
      const bucket = createBucket(limit, clock);
      buckets.set(name, bucket);
      return bucket;
    },
  };
}
