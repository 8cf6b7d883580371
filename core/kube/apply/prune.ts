import { isAppError } from '../../lib/errors.ts';
import type { Kube, KubeObject, ResourceType, Stored } from '../kube.ts';
import { childTypeOf } from './childTypes.ts';

export interface PruneOptions {
  /** Whether an object is the owner's, as `ownedBy` returns it. */
  isOurs(object: KubeObject): boolean;
  /** Types of children beyond the usual ones. */
  types?: ResourceType[];
}

/** deleted: the delete was sent. pending: it is already being deleted. kept: it is no longer the observed object. */
export type PruneOutcome = 'deleted' | 'pending' | 'kept';

/**
 * Deletes an observed child. A cache may be stale, so the object is read again, must have the observed uid and belong
 * to its owner, and the delete has that uid as its precondition.
 */
export async function pruneChild(
  kube: Pick<Kube, 'get' | 'delete'>,
  observed: Stored<KubeObject>,
  options: PruneOptions,
): Promise<PruneOutcome> {
  const type = childTypeOf(observed, options.types);
  const live = await kube.get(type, observed.metadata);
  if (live?.metadata.uid !== observed.metadata.uid) return 'kept';
  if (!options.isOurs(live)) return 'kept';
  if (live.metadata.deletionTimestamp) return 'pending';
  const preconditions = { uid: live.metadata.uid, propagationPolicy: 'Background' as const };
  try {
    return (await kube.delete(type, observed.metadata, preconditions)) ? 'deleted' : 'kept';
  } catch (error) {
    if (isAppError(error, 'Conflict')) return 'kept';
    throw error;
  }
}
