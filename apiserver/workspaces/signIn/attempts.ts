import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createBuckets } from '../../http/limits/buckets.ts';
import type { BucketLimit } from '../../http/limits/tokenBucket.ts';

/** How often somebody may be wrong. */
export interface Attempts {
  /** Takes an attempt for a name from a source; call the returned function if it was right. Throws TooManyRequests. */
  begin(name: string, source: string): () => void;
}

const perName: BucketLimit = { perSecond: 1 / 60, burst: 10 };
/** Many people may share an address, and behind an untrusted proxy everybody does. */
const perSource: BucketLimit = { perSecond: 1, burst: 100 };

/**
 * Counts wrong attempts of a name and of a source, in this replica. A right one does not count for the name, and forgives
 * none of the others: somebody who knows one right answer would guess another without end. `refusal` says what there were
 * too many of.
 */
export function createAttempts(clock: Clock, refusal: string): Attempts {
  const names = createBuckets(perName, clock);
  const sources = createBuckets(perSource, clock);
  return {
    begin(name, source) {
      const waitMs = Math.max(names.of(name).waitMs(), sources.of(source).waitMs());
      if (waitMs > 0) throw tooMany(refusal, waitMs);
      names.of(name).take();
      sources.of(source).take();
      return () => names.of(name).giveBack();
    },
  };
}

function tooMany(refusal: string, waitMs: number): AppError {
  return new AppError('TooManyRequests', refusal, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}
