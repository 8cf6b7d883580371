import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import { refOf } from '../../core/kube/objects.ts';
import { createConcurrencyLimit } from './concurrencyLimit.ts';
import type { ReconcileResult } from './controller.ts';

type Work<Rest extends unknown[]> = (key: string, ...rest: Rest) => Promise<ReconcileResult>;

/** A quarter of the workers. */
const maxPerAccount = 16;
const deferMs = 1000;
const deferred = async (): Promise<ReconcileResult> => ({ state: 'Deferred', requeueAfterMs: deferMs });

interface Sharing {
  /** The account whose share a workspace uses; by default its own. */
  shareOf?: ShareOf | undefined;
  /** How many of an account are under way at the most. */
  most?: number;
  /** The namespace of what a key stands for, where the key is not `namespace/name`. */
  namespaceOf?(key: string): string | undefined;
}

/**
 * Defers the reconcile of a key while many of the account that owns its workspace are under way: the nodes of one tenant,
 * which may hang, must not hold up the work of others.
 */
export function shareWorkers<Rest extends unknown[]>(
  work: Work<Rest>,
  {
    shareOf = (namespace) => namespace,
    most = maxPerAccount,
    namespaceOf = (key) => refOf(key).namespace,
  }: Sharing = {},
): Work<Rest> {
  const limit = createConcurrencyLimit(most);
  // An administrator may own the workspaces of many teams: none of them has the whole share.
  const ofWorkspace = createConcurrencyLimit(Math.ceil((most * 3) / 4));
  return async (key, ...rest) => {
    const namespace = namespaceOf(key) ?? '';
    const inWorkspace = () => ofWorkspace.run(namespace, () => work(key, ...rest)) ?? deferred();
    return limit.run(shareOf(namespace), inWorkspace) ?? deferred();
  };
}
