import type { Condition } from '../../core/api/common.ts';
import { annotations, labels } from '../../core/api/names.ts';
import type { NetworkState, NetworkStatus } from '../../core/api/network.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { hashOf } from '../../core/lib/hash.ts';
import { incarnationOf } from './children.ts';
import type { DesiredStatus, NetworkFacts } from './facts.ts';
import { askedRestarts } from './maintenance.ts';

/** What outlives the present state. */
export function keep(facts: NetworkFacts): DesiredStatus {
  const { lastActivityAt: _owned, ...status } = facts.network.status ?? {};
  const wake = facts.network.metadata.annotations?.[annotations.wake];
  return { observedMaintenanceNonce: 0, ...status, ...(wake === undefined ? {} : { observedWake: wake }) };
}

type StateParts = Pick<NetworkStatus, 'state' | 'message' | 'observedGeneration' | 'conditions'>;

/** The state with its message, and the condition Ready beside it; its time moves when its status does. */
export function stateOf(
  facts: NetworkFacts,
  state: NetworkState,
  reason: string,
  message: string,
): StateParts {
  const observedGeneration = facts.network.metadata.generation ?? 0;
  const status = state === 'Operational' ? 'True' : 'False';
  const former = facts.network.status?.conditions?.find(({ type }) => type === 'Ready');
  const lastTransitionTime = former?.status === status ? former.lastTransitionTime : toRfc3339(facts.nowMs);
  const ready: Condition = { type: 'Ready', status, observedGeneration, lastTransitionTime, reason, message };
  return { state, message, observedGeneration, conditions: [ready] };
}

/**
 * Changes whenever the chain's data may have been lost: another pod, or a restart of its container that nobody asked
 * for. Undefined while no pod is there.
 */
export function enclaveIdOf(facts: NetworkFacts): string | undefined {
  const incarnation = incarnationOf(facts.network);
  const lives = facts.pods
    .filter(
      ({ metadata }) => metadata.labels?.[labels.incarnation] === incarnation && !metadata.deletionTimestamp,
    )
    .map((pod) => {
      const restarts = pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
      return [pod.metadata.uid, Math.max(0, restarts - askedRestarts(pod))];
    });
  return lives.length === 0 ? undefined : hashOf(lives).slice(0, 16);
}
