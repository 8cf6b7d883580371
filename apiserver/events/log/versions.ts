import type { NamespacedObject, Stored } from '../../../core/api/resources/kubeObject.ts';
import { keyOf } from '../../../core/kube/objects.ts';

/** The objects of a kind as they were at one version of the cluster. */
export interface Versions<T extends NamespacedObject> {
  get(ref: { namespace: string; name: string }): Stored<T> | undefined;
  inNamespace(namespace: string): Stored<T>[];
  replace(items: readonly Stored<T>[]): void;
  /** Stores the next version of an object, and returns the one before it. */
  set(object: Stored<T>): Stored<T> | undefined;
  delete(object: Stored<T>): void;
}

export function createVersions<T extends NamespacedObject>(): Versions<T> {
  const byNamespace = new Map<string, Map<string, Stored<T>>>();
  const within = (namespace: string) => byNamespace.get(namespace) ?? new Map<string, Stored<T>>();

  function set(object: Stored<T>): Stored<T> | undefined {
    const { namespace } = object.metadata;
    const objects = within(namespace);
    byNamespace.set(namespace, objects);
    const key = keyOf(object.metadata);
    const before = objects.get(key);
    objects.set(key, object);
    return before;
  }

  return {
    get: (ref) => byNamespace.get(ref.namespace)?.get(keyOf(ref)),
    inNamespace: (namespace) => [...within(namespace).values()],
    replace(items) {
      byNamespace.clear();
      items.forEach(set);
    },
    set,
    delete({ metadata }) {
      const objects = within(metadata.namespace);
      objects.delete(keyOf(metadata));
      if (objects.size === 0) byNamespace.delete(metadata.namespace);
    },
  };
}
