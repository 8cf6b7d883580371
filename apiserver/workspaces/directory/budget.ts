import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createBucket } from '../../http/limits/tokenBucket.ts';

/** A bound on something that strangers can cause. */
export interface Budget {
  /** Throws Unavailable when nothing is left for the moment. */
  spend(): void;
}

/** Live questions of a replica about accounts that it does not know: 50 at once, and 50 a second. */
export function createBudget(clock: Clock): Budget {
  const bucket = createBucket({ perSecond: 50, burst: 50 }, clock);
  return {
    spend() {
      if (bucket.take() === 0) return;
      throw new AppError('Unavailable', 'too many unknown accounts are asked for at the moment', {
        retryAfterSeconds: 1,
      });
    },
  };
}
