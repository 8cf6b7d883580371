import type { Condition } from '../../core/api/common.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { stableJson } from '../../core/lib/hash.ts';

interface Described {
  metadata: { generation?: number };
  status?: { conditions?: Condition[] | undefined } | undefined;
}

export interface Readiness {
  isReady: boolean;
  /** A CamelCase word. */
  reason: string;
  message: string;
}

/** The Ready condition of an object. Its lastTransitionTime changes only with the status. */
export function readyCondition(
  object: Described,
  { isReady, reason, message }: Readiness,
  nowMs: number,
): Condition {
  const status = isReady ? 'True' : 'False';
  const former = object.status?.conditions?.find(({ type }) => type === 'Ready');
  return {
    type: 'Ready',
    status,
    ...compact({ observedGeneration: object.metadata.generation }),
    lastTransitionTime: former?.status === status ? former.lastTransitionTime : toRfc3339(nowMs),
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
