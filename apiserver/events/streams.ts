import type { Shares } from '../../core/accounts/shares/shares.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { BudgetMetrics } from '../http/limits/budgetMetrics.ts';
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

/** Whether a key still gives the access that a stream began with. */
export type HasAccess = (principal: Principal) => Promise<boolean>;

interface StreamsOptions {
  limits: Installation['limits']['eventStreams'];
  hasAccess: HasAccess;
  metrics: Pick<EventMetrics, 'streams' | 'ended'>;
  budgets: Pick<BudgetMetrics, 'refused'>;
  shares: Pick<Shares, 'of'>;
  clock: Clock;
}

/** How long it takes at most to notice a revoked key, an ended session or a lost membership, besides the delay of the watch. */
const checkMs = 1000;

export function createStreams(options: StreamsOptions): Streams {
  const { metrics, clock } = options;
  const open = new Map<AbortController, Principal>();
  const streamLimits = createStreamLimits(options);
  let [isClosed, isChecking] = [false, false];

  /** Runs as long as any stream is open. */
  function keepChecking(): void {
    if (isChecking) return;
    isChecking = true;
    clock.after(checkMs, () => void endWithoutAccess().finally(resume), 'background');
  }

  function resume(): void {
    isChecking = false;
    if (open.size > 0) keepChecking();
  }

  async function endWithoutAccess(): Promise<void> {
    for await (const controller of withoutAccess(open, options.hasAccess)) end(controller, 'access');
  }

  function end(controller: AbortController, reason: 'access' | 'drain'): void {
    metrics.ended(reason);
    controller.abort();
  }

  return {
    open(principal) {
      const leave = streamLimits.enter(principal);
      const controller = new AbortController();
      open.set(controller, principal);
      metrics.streams(open.size);
      keepChecking();
      if (isClosed) end(controller, 'drain');
      return {
        signal: controller.signal,
        end() {
          controller.abort();
          if (!open.delete(controller)) return;
          leave();
          metrics.streams(open.size);
        },
      };
    },
    close() {
      isClosed = true;
      for (const controller of open.keys()) end(controller, 'drain');
    },
  };
}

/** The streams whose callers have lost access. A cluster that does not answer takes nobody's access away. */
async function* withoutAccess(
  open: ReadonlyMap<AbortController, Principal>,
  hasAccess: HasAccess,
): AsyncGenerator<AbortController> {
  const callerOf = ({ keyId, sessionId, workspaceId }: Principal) =>
    [keyId, sessionId, workspaceId].join('/');
  const byCaller = Map.groupBy(open, ([, principal]) => callerOf(principal));
  for (const streams of byCaller.values()) {
    const [first] = streams;
    if (!first || (await hasAccess(first[1]).catch(() => true))) continue;
    for (const [controller] of streams) yield controller;
  }
}
