import type { Condition } from '../../core/api/common.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { stableJson } from '../../core/lib/hash.ts';

interface Conditions {
  conditions?: readonly Condition[] | undefined;
}

interface Described {
  metadata: { generation?: number };
  status?: Conditions | undefined;
}

export interface Readiness {
  isReady: boolean;
  /** A CamelCase word. */
  reason: string;
  message: string;
}

/** The condition of this type in a status; undefined if it has none. */
export function conditionOf(status: Conditions | undefined, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** The lastTransitionTime of a condition that was `former`: it changes only with its status. */
export function transitionTime(
  former: Condition | undefined,
  status: Condition['status'],
  nowMs: number,
): string {
  return former?.status === status ? former.lastTransitionTime : toRfc3339(nowMs);
}

/** The Ready condition of an object. */
export function readyCondition(
  object: Described,
  { isReady, reason, message }: Readiness,
  nowMs: number,
): Condition {
  const status = isReady ? 'True' : 'False';
  return {
    type: 'Ready',
    status,
    ...compact({ observedGeneration: object.metadata.generation }),
    lastTransitionTime: transitionTime(conditionOf(object.status, 'Ready'), status, nowMs),
    reason,
    message,
  };
}

/** The JSON merge patch that sets the fields of `desired` in `before`; undefined if nothing differs. */
export function memberPatch(
  before: object | undefined,
  desired: Record<string, unknown>,
): object | undefined {
  const former: Record<string, unknown> = { ...before };
  const changed = Object.entries(desired).filter(
    ([key, value]) => stableJson(former[key]) !== stableJson(value),
  );
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map(([key, value]) => [key, value ?? null]));
}
