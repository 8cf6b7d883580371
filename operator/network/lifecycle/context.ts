import type { Installation } from '../../../core/api/installation.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { AccessKeysStatus } from '../../../core/api/resources/networkStatus.ts';
import { idleMsOf, refuseLifetimes } from '../../../core/api/rules/lifetimes.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import { isDown, isStopRequested, mustWake } from '../../../core/networks/wake.ts';
import { readyReasonOf, stopRequested } from '../status/ready.ts';
import { finished, type Maintenance, maintenanceOf, maintenanceStatusOf } from './maintenance.ts';
import { isWithinQuota } from './persistentQuota.ts';

/** The facts that the lifecycle of any network depends on, whether it runs engines or connects other networks. */
export interface LifecycleFacts {
  network: Stored<NetworkResource>;
  nowMs: number;
  /** Why a requested persistence is refused; undefined if it is granted or not requested. */
  quotaRefusal: string | undefined;
  /** Whether the stop limit allows another idle stop now. */
  isStopAllowed: boolean;
  installation: Installation;
  /** The keys with which a new network begins, if its id had others before. */
  keptKeys?: AccessKeysStatus | undefined;
}

/** The part of the status that the operator decides. `lastActivityAt` is written by whoever observes activity. */
export type DesiredStatus = Omit<NonNullable<NetworkResource['status']>, 'lastActivityAt'>;

/** Whether a network must run now. */
type RunDecision =
  | { kind: 'run'; lastWakeUpAt?: string; idleCheckMs?: number }
  | { kind: 'stop'; isNew: boolean; cause: 'Idle' | typeof stopRequested };

/** The input of the checks: the facts, and what is derived from them for every network. */
export interface LifecycleContext<Facts extends LifecycleFacts = LifecycleFacts> {
  observed: Facts;
  /** The facts as they are once a requested reset has started. */
  facts: Facts;
  maintenance: Maintenance;
  runDecision: RunDecision;
  /** Whether the network never stops when idle and keeps its data: the spec requests it and the quota allows it. */
  isPersistent: boolean;
  /** A new network over the quota does not start; one that has run before continues without persistence. */
  isWaitingToBegin: boolean;
  /** Requests in the spec that were refused, for the message of a running network. */
  refusals: string[];
  /** Status fields to write: when the network must run, while it is starting, and when it is ready. */
  writes: Record<'begun' | 'starting' | 'ready', DesiredStatus>;
}

/** When to retry a stop that the stop limit has delayed. */
const heldMs = 60_000;
const longestCheckMs = 3_600_000;

export function lifecycleContext<Facts extends LifecycleFacts>(observed: Facts): LifecycleContext<Facts> {
  const { network, quotaRefusal, nowMs, installation } = observed;
  const maintenance = maintenanceOf(network, nowMs);
  const runDecision = runDecisionOf(observed);
  return {
    observed,
    maintenance,
    runDecision,
    facts: withMaintenance(observed, maintenance),
    isPersistent: isPersistent(observed),
    isWaitingToBegin: isWaitingToBegin(observed),
    refusals: [
      ...(maintenance.kind === 'refused' ? [`maintenance refused: ${maintenance.message}`] : []),
      ...(quotaRefusal === undefined ? [] : [`not persistent: ${quotaRefusal}`]),
      ...refuseLifetimes(network.spec, installation).map(
        ({ path, message }) => `${path}: ${message}, which applies`,
      ),
    ],
    writes: writesOf(observed, maintenance, runDecision),
  };
}

/** The facts once a request has begun. */
function withMaintenance<Facts extends LifecycleFacts>(facts: Facts, maintenance: Maintenance): Facts {
  if (maintenance.kind === 'none' || maintenance.kind === 'refused') return facts;
  const { network } = facts;
  const begun = { maintenance: maintenanceStatusOf(network, maintenance) };
  const reset = maintenance.kind === 'reset' ? { reset: maintenance.reset } : {};
  return { ...facts, network: { ...network, status: { ...network.status, ...begun, ...reset } } };
}

/**
 * A network runs until somebody sets a new stop annotation, or `idle.afterSeconds` have passed since its last wake-up
 * or the end of its persistence; indefinitely if it is persistent and within the quota. It stays stopped until somebody
 * changes the spec or sets a new wake annotation.
 */
function runDecisionOf(facts: LifecycleFacts): RunDecision {
  const { network } = facts;
  const isStopped =
    isDown(network) && !(network.status?.state === 'Stopping' && network.metadata.deletionTimestamp);
  if (isStopped) return decisionWhenStopped(facts);
  if (isStopRequested(network)) return { kind: 'stop', isNew: true, cause: stopRequested };
  return isPersistent(facts) || isWaitingToBegin(facts) ? { kind: 'run' } : decisionWhenIdle(facts);
}

/** A persistent network that was stopped by hand stays stopped, unlike one that lost its place in the quota. */
function decisionWhenStopped(facts: LifecycleFacts): RunDecision {
  const { network, nowMs } = facts;
  const isAsked = isStopRequested(network);
  const cause = isAsked || readyReasonOf(network.status) === stopRequested ? stopRequested : 'Idle';
  const isLeft = !mustWake(network) && (cause === stopRequested || !isPersistent(facts));
  if (isAsked || isLeft) return { kind: 'stop', isNew: false, cause };
  return { kind: 'run', lastWakeUpAt: toRfc3339(nowMs) };
}

function decisionWhenIdle(facts: LifecycleFacts): RunDecision {
  const { network, nowMs } = facts;
  const wokenMs = parseRfc3339(network.status?.lastWakeUpAt ?? network.metadata.creationTimestamp) ?? nowMs;
  const sinceMs = Math.max(wokenMs, parseRfc3339(persistentUntilOf(facts)) ?? wokenMs, usedUntilMs(network));
  const idleInMs = sinceMs + idleMsOf(network.spec, facts.installation) - nowMs;
  if (idleInMs <= 0 && facts.isStopAllowed) return { kind: 'stop', isNew: true, cause: 'Idle' };
  const checkMs = idleInMs > 0 ? idleInMs : heldMs;
  return { kind: 'run', idleCheckMs: Math.min(longestCheckMs, checkMs + 1_000) };
}

/** How often activity is recorded: the last one may be this much later than the status says. */
const activityMs = 60_000;

/** An idle time in the spec counts from the last use; the installation's counts from the last wake-up, as the contract says. */
function usedUntilMs({ spec, status }: LifecycleFacts['network']): number {
  const activeMs = parseRfc3339(status?.lastActivityAt);
  return spec.idleAfter === undefined || activeMs === undefined ? 0 : activeMs + activityMs;
}

function isPersistent({ network, quotaRefusal }: LifecycleFacts): boolean {
  return network.spec.persistent === true && quotaRefusal === undefined;
}

/** When a persistent network stopped being one: now if the status still says that it is. */
function persistentUntilOf(facts: LifecycleFacts): string | undefined {
  const { network, nowMs } = facts;
  if (isPersistent(facts)) return undefined;
  return network.status?.persistentUntil ?? (isWithinQuota(network) ? toRfc3339(nowMs) : undefined);
}

function isWaitingToBegin({ network, quotaRefusal }: LifecycleFacts): boolean {
  return quotaRefusal !== undefined && network.status?.chainSpecHash === undefined;
}

/** A nonce is observed once its action has taken effect or was refused. */
function writesOf(
  facts: LifecycleFacts,
  maintenance: Maintenance,
  runDecision: RunDecision,
): LifecycleContext['writes'] {
  const { network, nowMs } = facts;
  const { spec, status } = network;
  const wokenAt = runDecision.kind === 'run' ? runDecision.lastWakeUpAt : undefined;
  const begun: DesiredStatus = {
    lastWakeUpAt: wokenAt ?? status?.lastWakeUpAt,
    persistentUntil: persistentUntilOf(facts),
    reset: maintenance.kind === 'reset' ? maintenance.reset : status?.reset,
    maintenance: maintenanceStatusOf(network, maintenance),
  };
  const before = status?.observedMaintenanceNonce ?? 0;
  const last = maintenance.kind === 'none' ? before : maintenance.nonce;
  return {
    begun,
    starting: { ...begun, observedMaintenanceNonce: maintenance.kind === 'refused' ? last : before },
    ready: {
      ...begun,
      maintenance: finished(begun.maintenance),
      lastWakeUpAt: begun.lastWakeUpAt ?? toRfc3339(nowMs),
      observedMaintenanceNonce: last,
      chainSpecHash: hashOf(spec.chain),
    },
  };
}
