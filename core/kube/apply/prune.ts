import { isAppError } from '../../lib/errors.ts';
import type { Kube, KubeObject, ResourceType, Stored } from '../kube.ts';
import { childTypeOf } from './childTypes.ts';

export interface PruneOptions {
  /** Labels that the object must still carry: what its owner's children have. */
  labels: Record<string, string>;
  /** Types beyond those that children usually have. */
  types?: ResourceType[];
}

/** deleted: asked for now. pending: ends already. kept: it is not, or no longer, the object that was observed. */
export type PruneOutcome = 'deleted' | 'pending' | 'kept';

/**
 * Deletes an observed child. A cache may be stale, so the object is read again, must have the observed uid and its
 * owner's labels, and the delete itself is bound to that uid.
 */
export async function pruneChild(
  kube: Pick<Kube, 'get' | 'delete'>,
  observed: Stored<KubeObject>,
  options: PruneOptions,
): Promise<PruneOutcome> {
  const type = childTypeOf(observed, options.types);
  const live = await kube.get(type, observed.metadata);
  if (live?.metadata.uid !== observed.metadata.uid) return 'kept';
  if (!hasLabels(live, options.labels)) return 'kept';
  if (live.metadata.deletionTimestamp) return 'pending';
  const preconditions = { uid: live.metadata.uid, propagationPolicy: 'Background' as const };
  try {
    return (await kube.delete(type, observed.metadata, preconditions)) ? 'deleted' : 'kept';
  } catch (error) {
    if (isAppError(error, 'Conflict')) return 'kept';
    throw error;
  }
}

function hasLabels(object: KubeObject, labels: Record<string, string>): boolean {
  return Object.entries(labels).every(([key, value]) => object.metadata.labels?.[key] === value);
}
