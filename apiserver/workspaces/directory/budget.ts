import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { currentSource } from '../../http/limits/source.ts';
import { type Bucket, createBucket } from '../../http/limits/tokenBucket.ts';

/** Bounds work that unauthenticated callers can cause. */
export interface Budget {
  /** Throws Unavailable if the budget of all callers, or of the request's source address, is used up. */
  spend(): void;
}

const everybody = { perSecond: 100, burst: 100 };
/** A fifth of the whole, so that no address takes the look-ups of the others. */
const perSource = { perSecond: 20, burst: 20 };
const maxSources = 10_000;

/** Live look-ups of unknown accounts by one replica. */
export function createBudget(clock: Clock, metrics: Pick<BudgetMetrics, 'refused'>): Budget {
  const all = createBucket(everybody, clock);
  const bySource = createBoundedMap<string, Bucket>(maxSources);
  return {
    spend() {
      const source = currentSource();
      const own = bySource.get(source) ?? createBucket(perSource, clock);
      bySource.set(source, own);
      // What the address may not do is not taken from the others.
      if (own.take() === 0 && all.take() === 0) return;
      metrics.refused('unknownAccounts');
      throw new AppError('Unavailable', 'too many look-ups of unknown accounts; retry', {
        retryAfterSeconds: 1,
      });
    },
  };
}
