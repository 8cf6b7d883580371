import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { persistentCondition, waitsForPersistence } from '../../../core/api/rules/persistentQuota.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { conditionOf } from '../../runtime/status.ts';
import type { DesiredStatus } from '../lifecycle/context.ts';
import { expiringCondition } from '../lifecycle/expiry.ts';
import { describeEnd } from './previousChain.ts';
import { stepsOf } from './progress.ts';
import { readyOf } from './ready.ts';

export interface NetworkEvent {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** The Events for a status change: the end of a chain, provisioning steps and new states. */
export function eventsOf(network: Stored<NetworkResource>, next: DesiredStatus): NetworkEvent[] {
  return [
    ...endOf(network.status, next),
    ...stepsBetween(network, next),
    ...quotaOf(network, next),
    ...expiryOf(network.status, next),
    ...stateOf(network, next),
  ];
}

function endOf(before: NetworkStatus | undefined, { previousChain }: DesiredStatus): NetworkEvent[] {
  if (!previousChain || previousChain.enclaveID === before?.previousChain?.enclaveID) return [];
  const message = `the chain ${previousChain.enclaveID} ${describeEnd(previousChain)}; its data is gone`;
  return [{ type: 'Warning', reason: 'ChainEnded', message }];
}

function stepsBetween(network: Stored<NetworkResource>, next: DesiredStatus): NetworkEvent[] {
  if (next.state !== 'Pending') return [];
  const message = stepsReached(network, next);
  return message === undefined ? [] : [{ type: 'Normal', reason: 'Step', message }];
}

/** In one text, because each Event is a write. Undefined if there are none. */
function stepsReached(
  { spec, status: before }: Stored<NetworkResource>,
  next: DesiredStatus,
): string | undefined {
  const titles = stepsOf(spec.chain.type);
  const former = before?.state === 'Pending' ? (before.execution?.currentStep ?? 0) : 0;
  const reached = titles.slice(former, next.execution?.currentStep ?? 0);
  if (reached.length === 0) return undefined;
  const last = former + reached.length;
  const numbers = reached.length === 1 ? `step ${last}` : `steps ${former + 1} to ${last}`;
  return `${numbers} of ${titles.length}: ${reached.join('; ')}`;
}

function quotaOf(network: Stored<NetworkResource>, next: DesiredStatus): NetworkEvent[] {
  if (!waitsForPersistence(network, next) || waitsForPersistence(network)) return [];
  const { message } = conditionOf(next, persistentCondition) ?? {};
  return [{ type: 'Warning', reason: 'QuotaExceeded', message: `not persistent: ${message}` }];
}

function expiryOf(before: NetworkStatus | undefined, next: DesiredStatus): NetworkEvent[] {
  const expiring = conditionOf(next, expiringCondition);
  if (!expiring || conditionOf(before, expiringCondition)) return [];
  return [{ type: 'Warning', reason: expiring.reason, message: expiring.message }];
}

function stateOf(network: Stored<NetworkResource>, next: DesiredStatus): NetworkEvent[] {
  const before = network.status;
  const [former, ready] = [readyOf(before), readyOf(next)];
  if (next.state === before?.state && ready?.reason === former?.reason) return [];
  if (next.state === 'Pending' && former === undefined) return [];
  const type = next.state === 'Error' ? 'Warning' : 'Normal';
  const reason = ready?.reason ?? next.state ?? 'Changed';
  const message = [`${next.state}: ${next.message ?? ''}`, ...lastSteps(network, next)].join('; ');
  return [{ type, reason, message }];
}

/** A network is Operational with its last steps, which need no Event of their own. */
function lastSteps(network: Stored<NetworkResource>, next: DesiredStatus): string[] {
  if (next.state !== 'Operational' || network.status?.state !== 'Pending') return [];
  const steps = stepsReached(network, next);
  return steps === undefined ? [] : [steps];
}
