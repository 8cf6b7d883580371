import type { Shares } from '../../core/accounts/shares/shares.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { BudgetMetrics } from '../http/limits/budgetMetrics.ts';
import type { AccessWatch } from './accessWatch.ts';
import type { EventMetrics } from './metrics.ts';
import { createStreamLimits } from './streamLimits.ts';

export interface OpenStream {
  /** Aborts when the caller loses access or the process stops. */
  signal: AbortSignal;
  /** Counts it no longer; may be called again. */
  end(): void;
}

/** The streams that callers have open. */
export interface Streams {
  /** Throws TooManyRequests if the account, the owner of the workspace or this replica has too many. */
  open(principal: Principal): OpenStream;
  /** Ends all, and whatever is opened later. */
  close(): void;
}

interface StreamsOptions {
  limits: Installation['limits']['eventStreams'];
  access: AccessWatch;
  metrics: Pick<EventMetrics, 'streams' | 'ended'>;
  budgets: Pick<BudgetMetrics, 'refused'>;
  shares: Pick<Shares, 'of'>;
}

export function createStreams(options: StreamsOptions): Streams {
  const { metrics, access } = options;
  const open = new Set<AbortController>();
  const streamLimits = createStreamLimits(options);
  let isClosed = false;

  function end(controller: AbortController, reason: 'access' | 'drain'): void {
    metrics.ended(reason);
    controller.abort();
  }

  return {
    open(principal) {
      const leave = streamLimits.enter(principal);
      const controller = new AbortController();
      open.add(controller);
      metrics.streams(open.size);
      const unfollow = access.follow(principal, () => end(controller, 'access'));
      if (isClosed) end(controller, 'drain');
      return {
        signal: controller.signal,
        end() {
          unfollow();
          controller.abort();
          if (!open.delete(controller)) return;
          leave();
          metrics.streams(open.size);
        },
      };
    },
    close() {
      isClosed = true;
      for (const controller of open) end(controller, 'drain');
    },
  };
}
