import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import { createConcurrencyLimit } from './concurrencyLimit.ts';
import type { Reconcile, ReconcileResult } from './controller.ts';

const deferMs = 1000;
const deferred = async (): Promise<ReconcileResult> => ({ state: 'Deferred', requeueAfterMs: deferMs });

interface Sharing {
  /** How many keys are worked on in parallel. */
  workers: number;
  /** The account whose share a workspace uses; by default its own. */
  shareOf?: ShareOf;
  /** The namespace of what a key stands for. */
  namespaceOf(key: string): string | undefined;
}

/**
 * Defers the reconcile of a key while a quarter of the workers has keys of the account that owns its workspace: the nodes of one
 * tenant, which may hang, must not hold up the work of others.
 */
export function shareWorkers(
  reconcile: Reconcile,
  { workers, shareOf = (namespace) => namespace, namespaceOf }: Sharing,
): Reconcile {
  const most = Math.ceil(workers / 4);
  const ofAccount = createConcurrencyLimit(most);
  // An administrator may own the workspaces of many teams: none of them has the whole share.
  const ofWorkspace = createConcurrencyLimit(Math.ceil((most * 3) / 4));
  return async (key, signal) => {
    const namespace = namespaceOf(key) ?? '';
    const inWorkspace = () => ofWorkspace.run(namespace, () => reconcile(key, signal)) ?? deferred();
    return ofAccount.run(shareOf(namespace), inWorkspace) ?? deferred();
  };
}
