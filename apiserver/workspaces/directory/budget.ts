import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createBucket } from '../../http/limits/tokenBucket.ts';

/** Bounds work that unauthenticated callers can cause. */
export interface Budget {
  /** Throws Unavailable if the budget is temporarily exhausted. */
  spend(): void;
}

/** Live lookups of unknown accounts by one replica: a burst of 50, and 50 per second. */
export function createBudget(clock: Clock): Budget {
  const bucket = createBucket({ perSecond: 50, burst: 50 }, clock);
  return {
    spend() {
      if (bucket.take() === 0) return;
      throw new AppError('Unavailable', 'too many lookups of unknown accounts; retry', {
        retryAfterSeconds: 1,
      });
    },
  };
}
