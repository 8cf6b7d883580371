import type { Kube } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';

/**
 * A Kube whose writes are refused while `mayWrite` is false: a reconcile that started under the lease must not write
 * after it. Reads pass.
 */
export function fenceWrites(kube: Kube, mayWrite: () => boolean): Kube {
  const guard = () => {
    if (!mayWrite()) throw new AppError('Unavailable', 'this replica is not the leader any more');
  };
  return {
    ...kube,
    create: async (type, object) => {
      guard();
      return kube.create(type, object);
    },
    replace: async (type, object, subresource) => {
      guard();
      return kube.replace(type, object, subresource);
    },
    apply: async (type, object, options) => {
      guard();
      return kube.apply(type, object, options);
    },
    patch: async (...request) => {
      guard();
      return kube.patch(...request);
    },
    delete: async (type, ref, options) => {
      guard();
      return kube.delete(type, ref, options);
    },
  };
}
