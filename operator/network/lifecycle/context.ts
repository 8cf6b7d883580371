import type { Installation } from '../../../core/api/installation.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import { mustWake } from '../../../core/networks/wake.ts';
import { type Maintenance, maintenanceOf } from './maintenance.ts';

/** What the life cycle of any network depends on, whether it runs engines or connects other networks. */
export interface LifecycleFacts {
  network: Stored<NetworkResource>;
  nowMs: number;
  /** Why the network cannot be persistent though it asks to be; undefined: it can, or does not ask. */
  quotaRefusal: string | undefined;
  /** Whether another idle stop may begin now. */
  isStopAllowed: boolean;
  installation: Installation;
}

/** The part of the status that the operator decides; `lastActivityAt` belongs to those who see activity. */
export type DesiredStatus = Omit<NonNullable<NetworkResource['status']>, 'lastActivityAt'>;

/** Whether a network must run now. */
type RunDecision =
  | { kind: 'run'; lastWakeUpAt?: string; idleCheckMs?: number }
  | { kind: 'stop'; isNew: boolean };

/** What the checks look at: the facts, and what follows from them for every network. */
export interface LifecycleContext<Facts extends LifecycleFacts = LifecycleFacts> {
  observed: Facts;
  /** The observed facts as they are once a requested reset has begun. */
  facts: Facts;
  maintenance: Maintenance;
  runDecision: RunDecision;
  /** Whether the network is kept running and keeps its data: it asks for that, and the quota allows it. */
  isPersistent: boolean;
  /** A new network without a place in the quota does not begin; one that has run before goes on without persistence. */
  isWaitingToBegin: boolean;
  /** Requests of the spec that were refused, for the message of a network that runs. */
  refusals: string[];
  /** What the status says once the network is to run, once it is being started, and once it can be used. */
  writes: Record<'begun' | 'starting' | 'ready', DesiredStatus>;
}

/** A stop that the limit on stops holds back is tried again after this time. */
const heldMs = 60_000;
const longestCheckMs = 3_600_000;

export function lifecycleContext<Facts extends LifecycleFacts>(observed: Facts): LifecycleContext<Facts> {
  const { network, quotaRefusal } = observed;
  const maintenance = maintenanceOf(network);
  const runDecision = runDecisionOf(observed);
  return {
    ...{ observed, maintenance, runDecision },
    facts: withReset(observed, maintenance),
    isPersistent: isPersistent(observed),
    isWaitingToBegin: isWaitingToBegin(observed),
    refusals: [
      ...(maintenance.kind === 'refused' ? [`maintenance refused: ${maintenance.message}`] : []),
      ...(quotaRefusal === undefined ? [] : [`not persistent: ${quotaRefusal}`]),
    ],
    writes: writesOf(observed, maintenance, runDecision),
  };
}

/** Everything after a reset belongs to the new incarnation. */
function withReset<Facts extends LifecycleFacts>(facts: Facts, maintenance: Maintenance): Facts {
  if (maintenance.kind !== 'reset') return facts;
  const { network } = facts;
  return { ...facts, network: { ...network, status: { ...network.status, reset: maintenance.reset } } };
}

/**
 * A network runs until `idle.afterSeconds` have passed since its last wake-up, or always when it is persistent within the
 * quota. It stays stopped until someone changes the spec or sets a new wake annotation.
 */
function runDecisionOf(facts: LifecycleFacts): RunDecision {
  const { network, nowMs } = facts;
  const { state } = network.status ?? {};
  const isDown = state === 'Stopped' || (state === 'Stopping' && !network.metadata.deletionTimestamp);
  if (isDown) {
    if (!mustWake(network) && !isPersistent(facts)) return { kind: 'stop', isNew: false };
    return { kind: 'run', lastWakeUpAt: toRfc3339(nowMs) };
  }
  if (isPersistent(facts) || isWaitingToBegin(facts)) return { kind: 'run' };
  const sinceMs = parseRfc3339(network.status?.lastWakeUpAt ?? network.metadata.creationTimestamp) ?? nowMs;
  const idleInMs = sinceMs + facts.installation.idle.afterSeconds * 1000 - nowMs;
  if (idleInMs <= 0 && facts.isStopAllowed) return { kind: 'stop', isNew: true };
  const checkMs = idleInMs > 0 ? idleInMs : heldMs;
  return { kind: 'run', idleCheckMs: Math.min(longestCheckMs, checkMs + 1_000) };
}

function isPersistent({ network, quotaRefusal }: LifecycleFacts): boolean {
  return network.spec.persistent === true && quotaRefusal === undefined;
}

function isWaitingToBegin({ network, quotaRefusal }: LifecycleFacts): boolean {
  return quotaRefusal !== undefined && network.status?.chainSpecHash === undefined;
}

/** A nonce is observed once its action took effect, or was refused. */
function writesOf(
  { network: { spec, status }, nowMs }: LifecycleFacts,
  maintenance: Maintenance,
  runDecision: RunDecision,
): LifecycleContext['writes'] {
  const wokenAt = runDecision.kind === 'run' ? runDecision.lastWakeUpAt : undefined;
  const begun: DesiredStatus = {
    lastWakeUpAt: wokenAt ?? status?.lastWakeUpAt,
    reset: maintenance.kind === 'reset' ? maintenance.reset : status?.reset,
  };
  const before = status?.observedMaintenanceNonce ?? 0;
  const last = maintenance.kind === 'none' ? before : maintenance.nonce;
  return {
    begun,
    starting: { ...begun, observedMaintenanceNonce: maintenance.kind === 'refused' ? last : before },
    ready: {
      ...begun,
      lastWakeUpAt: begun.lastWakeUpAt ?? toRfc3339(nowMs),
      observedMaintenanceNonce: last,
      chainSpecHash: hashOf(spec.chain),
    },
  };
}
