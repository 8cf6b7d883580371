import type { LifecycleFacts } from './context.ts';

/** One `kubectl apply` may create a network before the objects that it refers to, and before its namespace has rights. */
const graceMs = 15_000;

/** Whether a network is so new that what it lacks may still come by itself. */
export function isYoung({ network, nowMs }: Pick<LifecycleFacts, 'network' | 'nowMs'>): boolean {
  return nowMs - Date.parse(network.metadata.creationTimestamp) < graceMs;
}
