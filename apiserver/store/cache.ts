import { findById, idIndex, idOf } from '../../core/api/ids.ts';
import type { NamespacedObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import { keepAll } from '../../core/kube/cache/keep.ts';
import type { Reflector, ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createSortedByName } from './sortedByName.ts';

/** A cache of all objects of a kind in the cluster, slightly behind it. Never modify the objects that it returns. */
export interface ObjectCache<T extends NamespacedObject> {
  /** Also undefined if the object is in another namespace. */
  byId(namespace: string, id: string): Stored<T> | undefined;
  byName(namespace: string, name: string): Stored<T> | undefined;
  /** Ascending by name (by UTF-16 code units). */
  inNamespace(namespace: string): readonly Stored<T>[];
}

/** Whether callers see an object. */
export type IsShown = (object: Stored<NamespacedObject>) => boolean;

/** Name of the index of objects by their uid. */
export const byUid = 'uid';
/** Name of the index by what may name an object in a URL, in whatever workspace it is: its id, and its uid. */
const byAnyId = 'anyId';
const byNamespace = 'namespace';

export type CacheOptions<T extends NamespacedObject> = Pick<
  ReflectorOptions<T>,
  'kube' | 'log' | 'clock' | 'kubeMetrics' | 'tap'
> & { type: ResourceType<T> };

/** A reflector with the indexes that `createCache` needs. */
export function createCacheReflector<T extends NamespacedObject>(options: CacheOptions<T>): Reflector<T> {
  return createReflector({
    ...options,
    trim: keepAll,
    indexes: {
      ...idIndex,
      [byUid]: ({ metadata }) => [metadata.uid],
      [byAnyId]: (object) => [...new Set([idOf(object), object.metadata.uid])],
      [byNamespace]: ({ metadata }) => [metadata.namespace],
    },
  });
}

/**
 * Reads throw Unavailable until the reflector's first list is complete; later they work even if it is disconnected.
 */
export function createCache<T extends NamespacedObject>(
  reflector: Reflector<T>,
  isShown: IsShown,
): ObjectCache<T> {
  const present = (namespace: string, name: string): Stored<T> | undefined => {
    const object = reflector.get({ namespace, name });
    return object && isShown(object) ? object : undefined;
  };
  const sorted = createSortedByName<T>({
    all: (namespace) => reflector.byIndex(byNamespace, namespace).filter(isShown),
    present,
  });
  reflector.onChange(({ object }) => sorted.changed(object.metadata));

  const synced = (): Reflector<T> => {
    if (reflector.hasSynced()) return reflector;
    throw new AppError('Unavailable', 'this replica is still loading the state of the cluster; retry', {
      retryAfterSeconds: 1,
    });
  };
  return {
    byId(namespace, id) {
      const object = findById(synced(), namespace, id);
      return object && isShown(object) ? object : undefined;
    },
    byName(namespace, name) {
      synced();
      return present(namespace, name);
    },
    inNamespace(namespace) {
      synced();
      return sorted.of(namespace);
    },
  };
}
