import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';

/** How many logs may be open in a replica. An account has 32 requests at a time: logs leave most of them. */
const limits = { account: 4, network: 8, all: 256 };
/** A revoked key reads no longer than this. */
const longestMs = 900_000;

export interface LogStream {
  /** Aborts when the time is over or the process stops. */
  signal: AbortSignal;
  /** Frees the place; may be called again. */
  end(): void;
}

/** The logs that callers have open. */
export interface LogStreams {
  /** Throws TooManyRequests when the account or the network has too many. */
  open(account: string, network: string): LogStream;
  /** Ends all, and whatever is opened later. */
  close(): void;
}

export function createLogStreams(metrics: Pick<BudgetMetrics, 'refused'>, clock: Clock): LogStreams {
  const counts = new Map<string, number>();
  const open = new Set<AbortController>();
  let isClosed = false;
  const add = (holder: string, difference: number) => {
    const count = (counts.get(holder) ?? 0) + difference;
    if (count === 0) counts.delete(holder);
    else counts.set(holder, count);
  };
  const refuse = (message: string) => {
    metrics.refused('logStreams');
    return new AppError('TooManyRequests', message, { retryAfterSeconds: 5 });
  };
  return {
    open(account, network) {
      const holders = [`account/${account}`, `network/${network}`] as const;
      const [mine, its] = holders.map((holder) => counts.get(holder) ?? 0);
      if ((mine ?? 0) >= limits.account) throw refuse(tooMany('the account', limits.account));
      if ((its ?? 0) >= limits.network) throw refuse(tooMany('the network', limits.network));
      if (open.size >= limits.all) throw refuse(tooMany('this replica', limits.all));
      const controller = new AbortController();
      open.add(controller);
      for (const holder of holders) add(holder, 1);
      const cancel = clock.after(longestMs, () => controller.abort(), 'background');
      if (isClosed) controller.abort();
      return {
        signal: controller.signal,
        end() {
          cancel();
          controller.abort();
          if (open.delete(controller)) for (const holder of holders) add(holder, -1);
        },
      };
    },
    close() {
      isClosed = true;
      for (const controller of open) controller.abort();
    },
  };
}

function tooMany(holder: string, limit: number): string {
  return `${holder} has ${limit} logs open, which is the limit: close one, or retry later`;
}
