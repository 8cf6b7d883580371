import type { Installation } from '../../../core/api/installation.ts';
import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { idleMsOf } from '../../../core/api/rules/lifetimes.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { formatDuration } from '../../../core/lib/duration.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { isStopRequested } from '../../../core/networks/wake.ts';
import type { KeyEpochs } from '../../ids/keyEpochs.ts';
import { readyReasonOf, stopRequested } from '../status/ready.ts';
import { renderStatus, type Verdict } from '../status/renderStatus.ts';
import type { StatusDeps } from '../status/writeStatus.ts';
import type { DesiredStatus, LifecycleContext, LifecycleFacts } from './context.ts';
import { expirationOf } from './expiry.ts';
import type { PersistentQuota } from './persistentQuota.ts';
import type { StopLimit } from './stopLimit.ts';

export interface LifecycleDeps extends StatusDeps {
  /** If absent, no rotation is remembered beyond its network. */
  keyEpochs?: KeyEpochs;
  /** Requires the index `persistent`. */
  caches: { networks: Pick<Reflector<NetworkResource>, 'byIndex' | 'observe'> };
  installation: Installation;
  persistentQuota: PersistentQuota;
  stopLimit: StopLimit;
}

export function observeLifecycle(
  { caches, installation, persistentQuota, stopLimit, keyEpochs }: LifecycleDeps,
  network: Stored<NetworkResource>,
  nowMs: number,
): LifecycleFacts {
  const rivals = caches.networks.byIndex('persistent', network.metadata.namespace);
  const quotaRefusal = persistentQuota.refuse(network, rivals);
  const keptKeys = keyEpochs?.keptFor(network);
  return {
    network,
    nowMs,
    quotaRefusal,
    installation,
    keptKeys,
    isStopAllowed: stopLimit.isOpen(nowMs),
  };
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
  all: readonly Check<Context, Result>[],
  context: Context,
): Result & { status: DesiredStatus } {
  for (const { check } of all) {
    const outcome = check(context);
    if (!outcome) continue;
    const { observed } = context;
    const checks = [outcome.requeueAfterMs, expirationOf(observed)?.nextMs].filter((ms) => ms !== undefined);
    const requeueAfterMs = checks.length === 0 ? undefined : Math.min(...checks);
    return { ...outcome, requeueAfterMs, status: renderStatus(observed, outcome) };
  }
  throw new AppError('Internal', `no check applies to the network ${context.observed.network.metadata.name}`);
}

/** How soon to check again: while something is terminating, and while waiting for a change by the user. */
const endingMs = 2_000;
const blockedMs = 60_000;

/** Whether the data of a chain outlives a stop. `untilWake`: a requested reset ends the chain when the network wakes. */
export type DataFate = 'kept' | 'deleted' | 'untilWake';

interface Stop<Facts extends LifecycleFacts> {
  /** What a stop means for the user, and how to undo it. */
  consequence(fate: DataFate): string;
  /** Whether any part of the network is still running. */
  isEnding(facts: Facts): boolean;
  /** Whether a part is running that has not been told to end. */
  isUntold?(facts: Facts): boolean;
  /** The children that hold the data of a network that keeps it; none when the data ends with the stop. */
  kept?(context: LifecycleContext<Facts>): KubeObject[];
  /**
   * Why a stop that keeps the data may have to wait: when to look again (0 if it need not wait), and what its message then
   * says.
   */
  wait?: { nextMs(facts: Facts): number; message: string };
  /** Further status fields to write. */
  writes?(facts: Facts, stop: { cause: string; keepsData: boolean }): DesiredStatus;
}

/** The checks that come first for every network. */
export function lifecycleChecks<Facts extends LifecycleFacts>(
  stop: Stop<Facts>,
): Check<LifecycleContext<Facts>>[] {
  return [deletion, { name: 'stop', check: (context) => checkStop(context, stop) }, quota];
}

const deletion: Check<LifecycleContext> = {
  name: 'deletion',
  check({ observed: { network } }) {
    if (!network.metadata.deletionTimestamp) return undefined;
    return { state: 'Stopping', reason: 'Deleting', message: 'the network is being deleted', children: [] };
  },
};

function checkStop<Facts extends LifecycleFacts>(
  context: LifecycleContext<Facts>,
  stop: Stop<Facts>,
): Outcome | undefined {
  const { observed, runDecision } = context;
  if (runDecision.kind !== 'stop') return finishStop(observed, stop);
  const { cause, isNew } = runDecision;
  const { consequence, isEnding, kept, writes, wait } = stop;
  const { status } = observed.network;
  const children = kept?.(context) ?? [];
  const keepsData = children.length > 0;
  // A network that was asked to stop and to wake stops first.
  const isAsked = isStopRequested(observed.network);
  const former = isAsked ? { observedWake: status?.observedWake } : {};
  const common = {
    reason: cause,
    children,
    writes: {
      ...(keepsData ? {} : ofNextChain),
      ...writes?.(observed, { cause, keepsData }),
      ...former,
    },
  };
  const fate = keepsData ? fateOfKept(context) : 'deleted';
  const requeueAfterMs = fate === 'kept' ? (wait?.nextMs(observed) ?? 0) : 0;
  const described = describeCause(cause, observed);
  if (wait && requeueAfterMs > 0) {
    const message = `stopping ${described}${wait.message}; ${consequence(fate)}`;
    // The request stays open, so that a wake that comes meanwhile does not take its place.
    const writes = isAsked ? { ...former, observedStop: status?.observedStop } : {};
    return { state: 'Stopping', reason: cause, message, writes, requeueAfterMs };
  }
  const text = `${described}; ${consequence(fate)}`;
  if (isNew || isEnding(observed)) {
    return { ...common, state: 'Stopping', message: `stopping ${text}`, requeueAfterMs: endingMs };
  }
  const since = status?.state === 'Stopped' ? status.lastStoppedAt : toRfc3339(observed.nowMs);
  return {
    ...common,
    state: 'Stopped',
    message: `stopped ${text}`,
    writes: { ...common.writes, lastStoppedAt: since },
  };
}

/** A reset that has begun leaves the volumes of the next chain. */
function fateOfKept({ observed, maintenance }: LifecycleContext): DataFate {
  const { enclaveID, previousChain } = observed.network.status ?? {};
  if (enclaveID !== undefined && previousChain?.enclaveID === enclaveID) return 'deleted';
  return maintenance.kind === 'reset' && maintenance.isNew ? 'untilWake' : 'kept';
}

/**
 * A network is woken while the status says that its chain has ended, but its pods have not been told: the stop comes first,
 * or that chain would go on. What wakes the network is observed afterwards.
 */
function finishStop<Facts extends LifecycleFacts>(
  observed: Facts,
  { consequence, isUntold }: Stop<Facts>,
): Outcome | undefined {
  const { status } = observed.network;
  if (status?.state !== 'Stopping' || !hasEnded(status) || !isUntold?.(observed)) return undefined;
  const cause = readyReasonOf(status) ?? 'Idle';
  return {
    state: 'Stopping',
    reason: cause,
    children: [],
    requeueAfterMs: endingMs,
    message: `stopping ${describeCause(cause, observed)}; ${consequence('deleted')}`,
    writes: { observedWake: status.observedWake, observedGeneration: status.observedGeneration },
  };
}

/** Whether the status says that the chain has ended, or that there was none yet. */
function hasEnded({ enclaveID, previousChain, incarnation }: NetworkStatus): boolean {
  return incarnation?.startedAt === undefined || previousChain?.enclaveID === enclaveID;
}

/** When the network wakes, its chain starts again: with a new genesis time, the newest key, and the latest block of a fork. */
const ofNextChain = {
  genesis: undefined,
  engineKey: undefined,
  fork: undefined,
  from: undefined,
  persistentUntil: undefined,
};

function describeCause(cause: string, { network: { spec }, installation }: LifecycleFacts): string {
  if (cause === stopRequested) return 'on request';
  const since = spec.idleAfter === undefined ? 'wake-up' : 'use';
  return `${formatDuration(idleMsOf(spec, installation))} after its last ${since}`;
}

/** A new persistent network over the quota does not start. */
const quota: Check<LifecycleContext> = {
  name: 'quota',
  check({ facts, isWaitingToBegin, writes }) {
    if (!isWaitingToBegin) return undefined;
    return {
      state: 'Error',
      reason: 'QuotaExceeded',
      children: [],
      requeueAfterMs: blockedMs,
      message: `spec.persistent: ${facts.quotaRefusal}`,
      progress: { step: 1, done: [] },
      writes: { lastWakeUpAt: writes.begun.lastWakeUpAt },
    };
  },
};
