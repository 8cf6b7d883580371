import type { Condition } from '../../../core/api/common.ts';
import { annotations, labels } from '../../../core/api/names.ts';
import type { NetworkState, NetworkStatus } from '../../../core/api/resources/network.ts';
import type { EnginePlan } from '../../../core/chains/driver.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import type { DesiredStatus, LifecycleFacts, NetworkFacts } from '../decide/facts.ts';
import { askedRestarts } from '../lifecycle/maintenance.ts';
import { persistentCondition } from '../lifecycle/persistentQuota.ts';
import { incarnationOf } from '../render/childNames.ts';

/** What outlives the present state. */
export function keep(facts: LifecycleFacts): DesiredStatus {
  const { lastActivityAt: _owned, ...status } = facts.network.status ?? {};
  const wake = facts.network.metadata.annotations?.[annotations.wake];
  return { observedMaintenanceNonce: 0, ...status, ...(wake === undefined ? {} : { observedWake: wake }) };
}

type StateParts = Pick<NetworkStatus, 'state' | 'message' | 'observedGeneration' | 'conditions'>;

/** The state with its message, and the condition Ready beside it; its time moves when its status does. */
export function stateOf(
  facts: LifecycleFacts,
  state: NetworkState,
  reason: string,
  message: string,
): StateParts {
  const observedGeneration = facts.network.metadata.generation ?? 0;
  const status = state === 'Operational' ? 'True' : 'False';
  const ready = conditionOf(facts, { type: 'Ready', status, reason, message });
  return { state, message, observedGeneration, conditions: [ready, ...persistence(facts)] };
}

/** Whether a network that asks to be persistent is. */
function persistence(facts: LifecycleFacts): Condition[] {
  if (!facts.network.spec.persistent) return [];
  const type = persistentCondition;
  const { quotaRefusal: message } = facts;
  if (message === undefined) {
    const text = 'has a place in the quota of persistent networks';
    return [conditionOf(facts, { type, status: 'True', reason: 'WithinQuota', message: text })];
  }
  return [conditionOf(facts, { type, status: 'False', reason: 'QuotaExceeded', message })];
}

function conditionOf(
  { network, nowMs }: LifecycleFacts,
  told: Pick<Condition, 'type' | 'status' | 'reason' | 'message'>,
): Condition {
  const former = network.status?.conditions?.find(({ type }) => type === told.type);
  const lastTransitionTime = former?.status === told.status ? former.lastTransitionTime : toRfc3339(nowMs);
  return { ...told, observedGeneration: network.metadata.generation ?? 0, lastTransitionTime };
}

/**
 * Changes whenever the chain's data may have been lost: another pod, or a restart of its container that nobody asked
 * for where that loses the chain. Undefined while no pod is there.
 */
export function enclaveIdOf(facts: NetworkFacts, { parts }: EnginePlan): string | undefined {
  const incarnation = incarnationOf(facts.network);
  const lives = parts.flatMap(({ name, losesChainWith = 'process' }) =>
    facts.pods
      .filter(
        ({ metadata }) =>
          losesChainWith !== 'nothing' &&
          metadata.labels?.[labels.part] === name &&
          metadata.labels[labels.incarnation] === incarnation &&
          !metadata.deletionTimestamp,
      )
      .map((pod) => [pod.metadata.uid, losesChainWith === 'process' ? unaskedRestarts(pod) : 0]),
  );
  return lives.length === 0 ? undefined : hashOf(lives).slice(0, 16);
}

function unaskedRestarts(pod: Pod): number {
  const restarts = pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
  return Math.max(0, restarts - askedRestarts(pod));
}
