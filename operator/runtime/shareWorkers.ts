import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import { refOf } from '../../core/kube/objects.ts';
import { createConcurrencyLimit } from './concurrencyLimit.ts';
import type { ReconcileResult } from './controller.ts';

type Work<Rest extends unknown[]> = (key: string, ...rest: Rest) => Promise<ReconcileResult>;

/** A quarter of the workers. */
const maxPerAccount = 16;
const deferMs = 1000;

/**
 * Defers the reconcile of a key (`namespace/name`) while many of the account that owns its workspace are under way: the nodes of one tenant,
 * which may hang, must not hold up the work of others.
 */
export function shareWorkers<Rest extends unknown[]>(
  work: Work<Rest>,
  shareOf: ShareOf = (namespace) => namespace,
  most = maxPerAccount,
): Work<Rest> {
  const limit = createConcurrencyLimit(most);
  return async (key, ...rest) => {
    const run = limit.run(shareOf(refOf(key).namespace), () => work(key, ...rest));
    return run ?? { state: 'Deferred', requeueAfterMs: deferMs };
  };
}
