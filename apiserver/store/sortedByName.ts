import type { NamespacedObject, Stored } from '../../core/api/resources/kubeObject.ts';

/** The objects of each namespace by name, sorted again only where something changed. */
export interface SortedByName<T extends NamespacedObject> {
  /** Ascending by UTF-16 code units. The array never changes: a later call returns another one. */
  of(namespace: string): readonly Stored<T>[];
  /** Call it after an object of this name came, changed or went. */
  changed(ref: { namespace: string; name: string }): void;
}

interface Source<T extends NamespacedObject> {
  /** In any order. */
  all(namespace: string): Stored<T>[];
  present(namespace: string, name: string): Stored<T> | undefined;
}

/** After more changes than this, sorting all is not slower. */
const maxChanges = 100;

interface Sorted<T extends NamespacedObject> {
  objects: readonly Stored<T>[];
  /** The names of what changed since. */
  changes: Set<string>;
}

export function createSortedByName<T extends NamespacedObject>(source: Source<T>): SortedByName<T> {
  const known = new Map<string, Sorted<T>>();

  function sortAll(namespace: string): readonly Stored<T>[] {
    return source.all(namespace).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  function withChanges(namespace: string, { objects, changes }: Sorted<T>): readonly Stored<T>[] {
    const next = [...objects];
    for (const name of changes) {
      const at = indexOf(next, name);
      const count = next[at]?.metadata.name === name ? 1 : 0;
      const object = source.present(namespace, name);
      next.splice(at, count, ...(object ? [object] : []));
    }
    return next;
  }

  return {
    of(namespace) {
      const before = known.get(namespace);
      if (before?.changes.size === 0) return before.objects;
      const isPatched = before && before.changes.size <= maxChanges;
      const objects = isPatched ? withChanges(namespace, before) : sortAll(namespace);
      if (objects.length === 0) known.delete(namespace);
      else known.set(namespace, { objects, changes: new Set() });
      return objects;
    },
    changed({ namespace, name }) {
      const before = known.get(namespace);
      before?.changes.add(name);
      if (before && before.changes.size > maxChanges) known.delete(namespace);
    },
  };
}

/** The index of the first object whose name is not before `name`, by binary search. */
function indexOf(objects: readonly Stored<NamespacedObject>[], name: string): number {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const object = objects[middle];
    if (object !== undefined && object.metadata.name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
