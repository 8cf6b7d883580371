import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { DesiredStatus } from '../lifecycle/context.ts';
import { isWaitingForQuota, persistentCondition } from '../lifecycle/persistentQuota.ts';
import { stepsOf } from './progress.ts';

export interface NetworkEvent {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** The Events for a status change: provisioning steps and new states. */
export function eventsOf(network: Stored<NetworkResource>, next: DesiredStatus): NetworkEvent[] {
  const before = network.status;
  const steps = stepsOf(network.spec.chain.type);
  const events: NetworkEvent[] = [];
  const formerStep = before?.state === 'Pending' ? (before.execution?.currentStep ?? 0) : 0;
  const nextStep = next.execution?.currentStep ?? 0;
  for (let step = formerStep + 1; next.state === 'Pending' && step <= nextStep; step += 1) {
    events.push({
      type: 'Normal',
      reason: 'Step',
      message: `step ${step} of ${steps.length}: ${steps[step - 1]}`,
    });
  }
  if (isWaitingForQuota(network, next) && !isWaitingForQuota(network, before)) {
    const place = next.conditions?.find(({ type }) => type === persistentCondition);
    events.push({ type: 'Warning', reason: 'QuotaExceeded', message: `not persistent: ${place?.message}` });
  }
  const ready = next.conditions?.find(({ type }) => type === 'Ready');
  const formerReady = before?.conditions?.find(({ type }) => type === 'Ready');
  if (next.state === before?.state && ready?.reason === formerReady?.reason) return events;
  if (next.state === 'Pending' && formerReady === undefined) return events;
  const type = next.state === 'Error' ? 'Warning' : 'Normal';
  events.push({
    type,
    reason: ready?.reason ?? next.state ?? 'Changed',
    message: `${next.state}: ${next.message ?? ''}`,
  });
  return events;
}
