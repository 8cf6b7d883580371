import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import { refOf } from '../../core/kube/objects.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { createTurns } from '../runtime/turns.ts';

type Work = (key: string) => Promise<ReconcileResult>;

/** A quarter of the workers. */
const maxPerAccount = 16;
const deferMs = 1000;

/**
 * Defers the reconcile of a key (`namespace/name`) while many of the account that owns its workspace are under way: the nodes of one tenant,
 * which may hang, must not hold up the transactions of others.
 */
export function shareWorkers(
  work: Work,
  shareOf: ShareOf = (namespace) => namespace,
  most = maxPerAccount,
): Work {
  const turns = createTurns(most);
  return async (key) => {
    const turn = turns.take(shareOf(refOf(key).namespace), () => work(key));
    return turn ?? { state: 'Deferred', requeueAfterMs: deferMs };
  };
}
