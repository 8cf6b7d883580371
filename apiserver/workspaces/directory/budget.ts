import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { currentSource } from '../../http/limits/source.ts';
import { createSourceBudget } from '../../http/limits/sourceBudget.ts';

/** Bounds work that unauthenticated callers can cause. */
export interface Budget {
  /** Throws Unavailable if the budget of all callers, or of the request's source address, is used up. */
  spend(): void;
}

const limits = {
  everybody: { perSecond: 100, burst: 100 },
  /** A fifth of the whole, so that no address takes the look-ups of the others. */
  perSource: { perSecond: 20, burst: 20 },
  reserve: { perSecond: 50, burst: 50 },
};

/** Live look-ups of unknown accounts by one replica. */
export function createBudget(clock: Clock, metrics: Pick<BudgetMetrics, 'refused'>): Budget {
  const sources = createSourceBudget(limits, clock);
  return {
    spend() {
      if (sources.spend(currentSource()) === 0) return;
      metrics.refused('unknownAccounts');
      throw new AppError('Unavailable', 'too many look-ups of unknown accounts; retry', {
        retryAfterSeconds: 1,
      });
    },
  };
}
