import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import { type AppError, isAppError } from '../../core/lib/errors.ts';
import { stamped } from '../../core/tracing/stamps.ts';
import { forCaller, type Store } from './kubeErrors.ts';
import { isDone, withMark } from './marks.ts';

/** Each concurrent write costs one more attempt. */
const maxAttempts = 16;

interface Target<T extends KubeObject> {
  type: ResourceType<T>;
  namespace: string;
  name: string;
  subresource?: 'status';
  /** The mark of a request with an Idempotency-Key. What it has changed once stays as it is now. Not for `status`. */
  mark?: string | undefined;
  /** The error if the object does not exist or is being deleted. */
  absent(): AppError;
}

/**
 * Reads an object live, changes it and writes it back; on a conflict it starts again. `change` may throw. If it returns
 * the same object, nothing is written.
 */
export async function updateLive<T extends KubeObject>(
  kube: Pick<Store, 'get' | 'replace'>,
  { type, namespace, name, subresource, mark, absent }: Target<T>,
  change: (current: Stored<T>) => Stored<T> | Promise<Stored<T>>,
): Promise<Stored<T>> {
  const prepare = (next: Stored<T>) => (subresource ? next : stamped(withMark(next, mark)));
  for (let attempt = 1; ; attempt++) {
    const current = await forCaller(kube.get(type, { namespace, name }));
    if (!current || current.metadata.deletionTimestamp) throw absent();
    const next = isDone(current, mark) ? current : await change(current);
    if (next === current) return current;
    try {
      return await forCaller(kube.replace(type, prepare(next), subresource));
    } catch (error) {
      if (!isAppError(error, 'Conflict') || attempt === maxAttempts) throw error;
    }
  }
}
