import type { Shares } from '../../core/accounts/shares/shares.ts';
import type { Installation } from '../../core/api/installation.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createTally } from '../../core/lib/work/tally.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { BudgetMetrics } from '../http/limits/budgetMetrics.ts';

interface StreamLimitsOptions {
  limits: Installation['limits']['eventStreams'];
  budgets: Pick<BudgetMetrics, 'refused'>;
  shares: Pick<Shares, 'of'>;
}

/** How many streams are open, of each account, of all in the workspaces of an owner, and in total. */
export interface StreamLimits {
  /** Counts a stream; returns a function that ends that. Throws TooManyRequests at a limit. */
  enter(principal: Principal): () => void;
}

export function createStreamLimits({ limits, budgets, shares }: StreamLimitsOptions): StreamLimits {
  const counts = createTally();
  return {
    enter({ userId, namespace }) {
      const limited = [
        ['account', `account/${userId}`, 'the account'],
        ['workspace', `owner/${shares.of(namespace, userId)}`, 'the owner of the workspace'],
        ['all', 'all', 'this replica'],
      ] as const;
      const full = limited.find(([limit, holder]) => counts.of(holder) >= limits[limit]);
      if (full) {
        budgets.refused('eventStreams');
        throw tooMany(full[2], `limits.eventStreams.${full[0]}: ${limits[full[0]]}`);
      }
      const holders = limited.map(([, holder]) => holder);
      for (const holder of holders) counts.add(holder, 1);
      return () => {
        for (const holder of holders) counts.add(holder, -1);
      };
    },
  };
}

function tooMany(holder: string, limit: string): AppError {
  const message = `${holder} has as many streams of events open as are allowed (${limit}): close one, or retry later`;
  return new AppError('TooManyRequests', message, { retryAfterSeconds: 5 });
}
