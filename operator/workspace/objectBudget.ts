import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { ResourceQuota } from './kinds.ts';

/** Whether a namespace should have a budget of custom resources now, and when to look again. */
export interface BudgetTurn {
  isWanted: boolean;
  requeueAfterMs?: number;
}

/** kube-controller-manager takes less than a second to count kinds that it knows. */
const countingMs = 3_000;
/** It learns of new kinds every 30 s. */
const learningMs = 35_000;
const lookMs = 1_000;
const maxNamespaces = 10_000;

/**
 * Decides when a namespace can have a budget of custom resources. kube-apiserver refuses to create a kind until its
 * budget has been counted, and kube-controller-manager does not count a kind that it has not discovered yet, as after
 * the first installation; it looks at an existing budget again only after minutes. So a budget that is not counted soon
 * is withdrawn, and tried again later.
 */
export function createObjectBudget(clock: Pick<Clock, 'nowMs'>) {
  const begun = createBoundedMap<string, number>(maxNamespaces);
  const pausedUntil = createBoundedMap<string, number>(maxNamespaces);

  return (namespace: string, found: ResourceQuota | undefined): BudgetTurn => {
    if (found && isCounted(found)) return { isWanted: true };
    const nowMs = clock.nowMs();
    const pauseMs = (pausedUntil.get(namespace) ?? nowMs) - nowMs;
    if (pauseMs > 0) return { isWanted: false, requeueAfterMs: pauseMs };
    const sinceMs = found ? (begun.get(namespace) ?? nowMs) : nowMs;
    begun.set(namespace, sinceMs);
    if (nowMs - sinceMs < countingMs) return { isWanted: true, requeueAfterMs: lookMs };
    begun.delete(namespace);
    pausedUntil.set(namespace, nowMs + learningMs);
    return { isWanted: false, requeueAfterMs: learningMs };
  };
}

function isCounted({ spec, status }: ResourceQuota): boolean {
  return Object.keys(spec.hard).every((name) => status?.used?.[name] !== undefined);
}
