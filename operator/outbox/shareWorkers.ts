import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import { refOf } from '../../core/kube/objects.ts';
import { createConcurrencyLimit } from '../runtime/concurrencyLimit.ts';
import type { ReconcileResult } from '../runtime/controller.ts';

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
  const limit = createConcurrencyLimit(most);
  return async (key) => {
    const run = limit.run(shareOf(refOf(key).namespace), () => work(key));
    return run ?? { state: 'Deferred', requeueAfterMs: deferMs };
  };
}
