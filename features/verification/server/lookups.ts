import { createBuckets } from '../../../apiserver/http/limits/buckets.ts';
import type { BudgetMetrics } from '../../../apiserver/http/limits/budgetMetrics.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { BucketLimit } from '../../../core/lib/work/tokenBucket.ts';

/** In requests that look up no contract as a whole: one of 80 kB, compressed, costs ten. */
const perSource: BucketLimit = { perSecond: 20, burst: 400 };
const perAccount: BucketLimit = { perSecond: 100, burst: 1000 };

interface Reader {
  source: string;
  /** Whose share the network takes. */
  account: string;
}

/** Bounds how much of verified contracts is looked up through public URLs: by an address, and from the networks of an account. */
export interface Lookups {
  /** Throws TooManyRequests. */
  charge(reader: Reader, requests: number): void;
}

export function createLookups(clock: Clock, budgets: Pick<BudgetMetrics, 'refused'>): Lookups {
  const sources = createBuckets(perSource, clock);
  const accounts = createBuckets(perAccount, clock);
  return {
    charge({ source, account }, requests) {
      const [own, all] = [sources.of(source), accounts.of(account)];
      const waitMs = Math.max(own.waitMs(), all.waitMs());
      if (waitMs === 0) {
        own.charge(requests);
        all.charge(requests);
        return;
      }
      budgets.refused('contractLookups');
      throw new AppError(
        'TooManyRequests',
        'too many verified contracts were looked up with ABI or sources: wait, or ask for fewer fields',
        { retryAfterSeconds: Math.ceil(waitMs / 1000) },
      );
    },
  };
}
