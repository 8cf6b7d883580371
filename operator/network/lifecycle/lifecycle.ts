import { annotations } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import type { LifeFacts } from '../decide/facts.ts';

/** Whether a network shall run now, and what of its life is to be written down. */
export type Course =
  | { kind: 'run'; lastWakeUpAt?: string; idleInMs?: number; isStopHeld?: boolean }
  | { kind: 'stop'; isNew: boolean };

/** A stop that the limit on stops holds back is looked at again after this time. */
const heldMs = 60_000;
const longestMs = 3_600_000;

/**
 * Runs until `idle.afterSeconds` have passed since the last wake-up (persistent networks that have a place in the quota: always), stays stopped
 * until someone changes the spec or sets a new wake annotation.
 */
export function courseOf(facts: LifeFacts): Course {
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

export function wokenAt(course: Course): { lastWakeUpAt?: string } {
  return course.kind === 'run' && course.lastWakeUpAt ? { lastWakeUpAt: course.lastWakeUpAt } : {};
}

/** When to look again whether a network is idle. */
export function idleCheckMs(course: Course): number | undefined {
  if (course.kind !== 'run' || course.idleInMs === undefined) return undefined;
  return Math.min(longestMs, course.idleInMs + 1_000);
}

/** Whether a network is kept running and keeps its data: it asks for that, and the quota allows it. */
export function isPersistent({ network, placeRefusal }: LifeFacts): boolean {
  return network.spec.persistent === true && placeRefusal === undefined;
}

/** A new network without a place does not begin; what has run before goes on as one that is not persistent. */
export function isWaitingToBegin({ network, placeRefusal }: LifeFacts): boolean {
  return placeRefusal !== undefined && network.status?.chainSpecHash === undefined;
}

function isWoken({ metadata, status }: NetworkResource): boolean {
  const wake = metadata.annotations?.[annotations.wake];
  if (wake !== undefined && wake !== status?.observedWake) return true;
  return status?.observedGeneration !== metadata.generation;
}
