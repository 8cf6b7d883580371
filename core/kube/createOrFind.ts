import { isAppError } from '../lib/errors.ts';
import type { Kube, KubeObject, ResourceType, Stored } from './kube.ts';

/** Creates the object, or finds the one that has its name already. `isNew`: this call created it. */
export async function createOrFind<T extends KubeObject>(
  kube: Pick<Kube, 'create' | 'get'>,
  type: ResourceType<T>,
  object: T,
): Promise<{ object: Stored<T>; isNew: boolean }> {
  try {
    return { object: await kube.create(type, object), isNew: true };
  } catch (error) {
    const live = isAppError(error, 'Conflict') ? await kube.get(type, object.metadata) : undefined;
    if (live) return { object: live, isNew: false };
    throw error;
  }
}
