import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';

/** Bodies longer than this are large. */
export const largeBodyBytes = 1024 * 1024;

/** Lets each account have one large body at a time, from its first megabyte to the answer. */
export interface LargeBodies {
  /** Throws TooManyRequests if the account has one already. Returns a function that ends it. */
  begin(account: string): () => void;
}

export function createLargeBodies(metrics: Pick<BudgetMetrics, 'refused'>): LargeBodies {
  const busy = new Set<string>();
  return {
    begin(account) {
      if (busy.has(account)) {
        metrics.refused('largeBody');
        throw new AppError(
          'TooManyRequests',
          'the account may send one body over 1 MiB at a time: wait for the answer to the other one',
          { retryAfterSeconds: 1 },
        );
      }
      busy.add(account);
      return () => void busy.delete(account);
    },
  };
}
