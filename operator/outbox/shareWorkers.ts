import { refOf } from '../../core/kube/objects.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { createTurns } from '../runtime/turns.ts';

type Work = (key: string) => Promise<ReconcileResult>;

/** A quarter of the workers. */
const maxPerNamespace = 16;
const deferMs = 1000;

/**
 * Defers the reconcile of a key (`namespace/name`) while many of its namespace are under way: the nodes of one tenant,
 * which may hang, must not hold up the transactions of others.
 */
export function shareWorkers(work: Work, most = maxPerNamespace): Work {
  const turns = createTurns(most);
  return async (key) => {
    const turn = turns.take(refOf(key).namespace, () => work(key));
    return turn ?? { state: 'Deferred', requeueAfterMs: deferMs };
  };
}
