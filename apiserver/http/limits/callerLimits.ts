import { createShares, type Shares } from '../../../core/accounts/shares/shares.ts';
import type { Installation } from '../../../core/api/installation.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrencyLimit.ts';
import { userIn } from './holders.ts';
import { createLargeBodies, type LargeBodies } from './largeBodies.ts';
import { createMemoryBudget, type MemoryBudget } from './memoryBudget.ts';
import { createNodePlaces, type NodePlaces } from './nodePlaces.ts';
import { createRateLimit, type RateLimit } from './rateLimit.ts';
import { createSourceOf, type SourceOf } from './source.ts';

/** The limits on callers of one replica. An account is a user with all API keys, or an address without credentials. */
export interface CallerLimits {
  memory: MemoryBudget;
  largeBodies: LargeBodies;
  concurrency: ConcurrencyLimit;
  /** The room that nodes have for calls. */
  places: NodePlaces;
  accountRate: RateLimit;
  workspaceRate: RateLimit;
  /** POST requests with an Idempotency-Key: each leaves a record for a day. */
  accountKeys: RateLimit;
  workspaceKeys: RateLimit;
  sourceOf: SourceOf;
  budgets: BudgetMetrics;
  /** Whose share the work of a workspace takes. */
  shares: Shares;
  clock: Clock;
}

const secondsPerDay = 86_400;
/** The largest burst, as a fraction of the keys of a day. */
const keyBurst = 1 / 5;
/** The workspaces of an account may do this many times as much as each of their members. */
const workspaceFactor = 4;

export function createCallerLimits(
  settings: Omit<Installation['limits'], 'eventStreams'>,
  clock: Clock,
  budgets: BudgetMetrics,
): CallerLimits {
  const { requestsPerSecond: perSecond, burst, idempotencyKeysPerDay: keys, requestMemoryMiB } = settings;
  const rate = (factor: number, budget: 'accountRate' | 'workspaceRate', holder: string) =>
    createRateLimit({ perSecond: perSecond * factor, burst: burst * factor }, clock, {
      describe: () => `the ${holder} exceeded its rate limit of ${perSecond * factor} requests per second`,
      onRefused: () => budgets.refused(budget),
    });
  const keyRate = (factor: number, holder: string) => {
    const perDay = keys * factor;
    return createRateLimit(
      { perSecond: perDay / secondsPerDay, burst: Math.ceil(perDay * keyBurst) },
      clock,
      {
        describe: () =>
          `the ${holder} exceeded its limit of ${perDay} requests with an Idempotency-Key per day`,
        onRefused: () => budgets.refused('idempotencyKeys'),
      },
    );
  };
  const shares = createShares();
  return {
    memory: createMemoryBudget({
      maxBytes: requestMemoryMiB * 1024 * 1024,
      metrics: budgets,
      shareOf: (namespace, holder) => shares.of(namespace, userIn(holder)),
    }),
    shares,
    largeBodies: createLargeBodies(budgets),
    concurrency: createConcurrencyLimit({ perCaller: settings.concurrent, metrics: budgets }),
    places: createNodePlaces(budgets, clock),
    accountRate: rate(1, 'accountRate', 'account, over all its API keys,'),
    workspaceRate: rate(
      workspaceFactor,
      'workspaceRate',
      'owner of the workspace, over all members of its workspaces,',
    ),
    accountKeys: keyRate(1, 'account'),
    workspaceKeys: keyRate(workspaceFactor, 'owner of the workspace'),
    sourceOf: createSourceOf(settings.trustedProxies),
    budgets,
    clock,
  };
}
