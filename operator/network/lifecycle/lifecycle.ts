import { annotations } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import type { LifecycleFacts } from '../decide/facts.ts';

/** Whether a network shall run now, and what of its life is to be written down. */
export type RunDecision =
  | { kind: 'run'; lastWakeUpAt?: string; idleInMs?: number; isStopHeld?: boolean }
  | { kind: 'stop'; isNew: boolean };

/** A stop that the limit on stops holds back is looked at again after this time. */
const heldMs = 60_000;
const longestMs = 3_600_000;

/**
 * Runs until `idle.afterSeconds` have passed since the last wake-up (persistent networks that have a place in the quota: always), stays stopped
 * until someone changes the spec or sets a new wake annotation.
 */
export function runDecisionOf(facts: LifecycleFacts): RunDecision {
  const { network, nowMs } = facts;
  const { state } = network.status ?? {};
  const isDown = state === 'Stopped' || (state === 'Stopping' && !network.metadata.deletionTimestamp);
  if (isDown) {
    if (!isWoken(network) && !isPersistent(facts)) return { kind: 'stop', isNew: false };
    return { kind: 'run', lastWakeUpAt: toRfc3339(nowMs) };
  }
  if (isPersistent(facts) || isWaitingToBegin(facts)) return { kind: 'run' };
  const since = parseRfc3339(network.status?.lastWakeUpAt ?? network.metadata.creationTimestamp) ?? nowMs;
  const idleInMs = since + facts.installation.idle.afterSeconds * 1000 - nowMs;
  if (idleInMs > 0) return { kind: 'run', idleInMs };
  return facts.isStopAllowed
    ? { kind: 'stop', isNew: true }
    : { kind: 'run', idleInMs: heldMs, isStopHeld: true };
}

export function wokenAt(runDecision: RunDecision): { lastWakeUpAt?: string } {
  return runDecision.kind === 'run' && runDecision.lastWakeUpAt
    ? { lastWakeUpAt: runDecision.lastWakeUpAt }
    : {};
}

/** When to look again whether a network is idle. */
export function idleCheckMs(runDecision: RunDecision): number | undefined {
  if (runDecision.kind !== 'run' || runDecision.idleInMs === undefined) return undefined;
  return Math.min(longestMs, runDecision.idleInMs + 1_000);
}

/** Whether a network is kept running and keeps its data: it asks for that, and the quota allows it. */
export function isPersistent({ network, quotaRefusal }: LifecycleFacts): boolean {
  return network.spec.persistent === true && quotaRefusal === undefined;
}

/** A new network without a place does not begin; what has run before goes on as one that is not persistent. */
export function isWaitingToBegin({ network, quotaRefusal }: LifecycleFacts): boolean {
  return quotaRefusal !== undefined && network.status?.chainSpecHash === undefined;
}

function isWoken({ metadata, status }: NetworkResource): boolean {
  const wake = metadata.annotations?.[annotations.wake];
  if (wake !== undefined && wake !== status?.observedWake) return true;
  return status?.observedGeneration !== metadata.generation;
}
