import type { ReconcileResult } from '../runtime/controller.ts';

type Work = (key: string) => Promise<ReconcileResult>;

/** A quarter of the workers. */
const maxPerNamespace = 16;
const deferMs = 1000;

/**
 * Defers the reconcile of a key (`namespace/name`) while many of its namespace are under way: the nodes of one tenant,
 * which may hang, must not hold up the transactions of others.
 */
export function shareWorkers(work: Work, most = maxPerNamespace): Work {
  const running = new Map<string, number>();
  return async (key) => {
    const [namespace = ''] = key.split('/');
    const count = running.get(namespace) ?? 0;
    if (count >= most) return { state: 'Deferred', requeueAfterMs: deferMs };
    running.set(namespace, count + 1);
    try {
      return await work(key);
    } finally {
      const left = (running.get(namespace) ?? 1) - 1;
      if (left > 0) running.set(namespace, left);
      else running.delete(namespace);
    }
  };
}
