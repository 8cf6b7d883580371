import type { Installation } from '../../../core/api/installation.ts';
import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { formatDuration } from '../../../core/lib/duration.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { renderStatus, type Verdict } from '../status/renderStatus.ts';
import type { StatusDeps } from '../status/writeStatus.ts';
import type { DesiredStatus, LifecycleContext, LifecycleFacts } from './context.ts';
import type { PersistentQuota } from './persistentQuota.ts';
import type { StopLimit } from './stopLimit.ts';

export interface LifecycleDeps extends StatusDeps {
  /** Requires the index `persistent`. */
  caches: { networks: Pick<Reflector<NetworkResource>, 'byIndex' | 'observe'> };
  installation: Installation;
  persistentQuota: PersistentQuota;
  stopLimit: StopLimit;
}

export function observeLifecycle(
  { caches, installation, persistentQuota, stopLimit }: LifecycleDeps,
  network: Stored<NetworkResource>,
  nowMs: number,
): LifecycleFacts {
  const rivals = caches.networks.byIndex('persistent', network.metadata.namespace);
  const quotaRefusal = persistentQuota.refuse(network, rivals);
  return { network, nowMs, quotaRefusal, isStopAllowed: stopLimit.isOpen(nowMs), installation };
}

/** The outcome of a check. */
export interface Outcome extends Verdict {
  /** The children that must exist. Undefined: leave them as they are. */
  children?: KubeObject[] | undefined;
  requeueAfterMs?: number | undefined;
}

/** Checks run in order; the first one that returns an outcome decides. */
export interface Check<Context, Result extends Outcome = Outcome> {
  name: string;
  /** Returns undefined to leave the decision to the next check. */
  check(context: Context): Result | undefined;
}

/** The outcome of the first check that has one, with the resulting status. */
export function decideBy<Context extends LifecycleContext, Result extends Outcome>(
  checks: readonly Check<Context, Result>[],
  context: Context,
): Result & { status: DesiredStatus } {
  for (const { check } of checks) {
    const outcome = check(context);
    if (outcome) return { ...outcome, status: renderStatus(context.observed, outcome) };
  }
  throw new AppError('Internal', `no check applies to the network ${context.observed.network.metadata.name}`);
}

/** How soon to check again: while something is terminating, and while waiting for a change by the user. */
const endingMs = 2_000;
const blockedMs = 60_000;

interface Stop<Facts> {
  /** What an idle stop means for the user, and how to undo it. */
  consequence: string;
  /** Whether any part of the network is still running. */
  isEnding(facts: Facts): boolean;
  /** Further status fields to write. */
  writes?(facts: Facts): DesiredStatus;
}

/** The checks that come first for every network. */
export function lifecycleChecks<Facts extends LifecycleFacts>(
  stop: Stop<Facts>,
): Check<LifecycleContext<Facts>>[] {
  return [deletion, { name: 'idle stop', check: (context) => idleStop(context, stop) }, quota];
}

const deletion: Check<LifecycleContext> = {
  name: 'deletion',
  check({ observed: { network } }) {
    if (!network.metadata.deletionTimestamp) return undefined;
    return { state: 'Stopping', reason: 'Deleting', message: 'the network is being deleted', children: [] };
  },
};

function idleStop<Facts extends LifecycleFacts>(
  { observed, runDecision }: LifecycleContext<Facts>,
  { consequence, isEnding, writes }: Stop<Facts>,
): Outcome | undefined {
  if (runDecision.kind !== 'stop') return undefined;
  const idle = formatDuration(observed.installation.idle.afterSeconds * 1_000);
  const cause = `${idle} after its last wake-up; ${consequence}`;
  // When the network wakes, its chain starts again with a new genesis time and the newest key.
  const cleared = { genesis: undefined, engineKey: undefined, persistentUntil: undefined };
  const common = { reason: 'Idle', children: [], writes: { ...cleared, ...writes?.(observed) } };
  if (runDecision.isNew || isEnding(observed)) {
    return { ...common, state: 'Stopping', message: `stopping ${cause}`, requeueAfterMs: endingMs };
  }
  const { state, lastStoppedAt } = observed.network.status ?? {};
  const since = state === 'Stopped' ? lastStoppedAt : toRfc3339(observed.nowMs);
  return {
    ...common,
    state: 'Stopped',
    message: `stopped ${cause}`,
    writes: { ...common.writes, lastStoppedAt: since },
  };
}

/** A new persistent network over the quota does not start. */
const quota: Check<LifecycleContext> = {
  name: 'quota',
  check({ facts, isWaitingToBegin, writes }) {
    if (!isWaitingToBegin) return undefined;
    return {
      ...{ state: 'Error', reason: 'QuotaExceeded', children: [], requeueAfterMs: blockedMs },
      message: `spec.persistent: ${facts.quotaRefusal}`,
      progress: { step: 1, done: [] },
      writes: { lastWakeUpAt: writes.begun.lastWakeUpAt },
    };
  },
};
