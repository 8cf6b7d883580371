import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import { type AppError, isAppError } from '../../core/lib/errors.ts';
import { forCaller, type Store } from './kubeErrors.ts';

/** Each write by someone else meanwhile costs one more attempt. */
const maxAttempts = 16;

interface Target<T extends KubeObject> {
  type: ResourceType<T>;
  namespace: string;
  name: string;
  subresource?: 'status';
  /** What to throw when there is no such object, or it is being deleted. */
  absent(): AppError;
}

/**
 * Reads an object live, changes it, and writes it back unless someone else was faster; then all over again. `change`
 * may throw; what it answers unchanged (the same object) is not written.
 */
export async function updateLive<T extends KubeObject>(
  kube: Pick<Store, 'get' | 'replace'>,
  { type, namespace, name, subresource, absent }: Target<T>,
  change: (current: Stored<T>) => Stored<T>,
): Promise<Stored<T>> {
  for (let attempt = 1; ; attempt++) {
    const current = await forCaller(kube.get(type, { namespace, name }));
    if (!current || current.metadata.deletionTimestamp) throw absent();
    const next = change(current);
    if (next === current) return current;
    try {
      return await forCaller(kube.replace(type, next, subresource));
    } catch (error) {
      if (!isAppError(error, 'Conflict') || attempt === maxAttempts) throw error;
    }
  }
}
