import { AppError } from '../../lib/errors.ts';
import type { KubeObject, ObjectRef } from '../kube.ts';

/** The values under which an index lists an object; an empty array omits it. */
export type Indexes<T> = Record<string, (object: T) => string[]>;

/** Objects of one kind in memory, found by name or by an index. */
export interface Store<T> {
  get(ref: ObjectRef): T | undefined;
  set(object: T): void;
  delete(ref: ObjectRef): void;
  list(): T[];
  inNamespace(namespace: string): T[];
  byIndex(name: string, value: string): T[];
}

/** What is under one value of an index: most values have one object, which needs no set. */
type Listed<T> = T | Set<T>;

/** An empty store with the given indexes. Its tables have the objects' own texts as keys, and none that are put together. */
export function createStore<T extends KubeObject>(indexes: Indexes<T> = {}): Store<T> {
  const byNamespace = new Map<string, Map<string, T>>();
  const tables = new Map(Object.keys(indexes).map((name) => [name, new Map<string, Listed<T>>()]));

  function forEachEntry(object: T, visit: (table: Map<string, Listed<T>>, value: string) => void): void {
    for (const [name, valuesOf] of Object.entries(indexes)) {
      const table = tables.get(name);
      if (table) for (const value of valuesOf(object)) visit(table, value);
    }
  }

  const get = ({ namespace = '', name }: ObjectRef) => byNamespace.get(namespace)?.get(name);

  return {
    get,
    set(object) {
      const { namespace = '', name } = object.metadata;
      const before = get(object.metadata);
      if (before) forEachEntry(before, (table, value) => unlist(table, value, before));
      const named = byNamespace.get(namespace) ?? new Map<string, T>();
      byNamespace.set(namespace, named.set(name, object));
      forEachEntry(object, (table, value) => {
        table.set(value, withObject(table.get(value), object));
      });
    },
    delete({ namespace = '', name }) {
      const named = byNamespace.get(namespace);
      const object = named?.get(name);
      if (!named || !object) return;
      named.delete(name);
      if (named.size === 0) byNamespace.delete(namespace);
      forEachEntry(object, (table, value) => unlist(table, value, object));
    },
    inNamespace: (namespace) => [...(byNamespace.get(namespace)?.values() ?? [])],
    list: () => [...byNamespace.values()].flatMap((named) => [...named.values()]),
    byIndex(name, value) {
      const table = tables.get(name);
      if (!table) throw new AppError('Internal', `unknown index "${name}"`);
      const listed = table.get(value);
      if (listed === undefined) return [];
      return listed instanceof Set ? [...listed] : [listed];
    },
  };
}

function withObject<T>(listed: Listed<T> | undefined, object: T): Listed<T> {
  if (listed === undefined || listed === object) return object;
  return listed instanceof Set ? listed.add(object) : new Set([listed, object]);
}

function unlist<T>(table: Map<string, Listed<T>>, value: string, object: T): void {
  const listed = table.get(value);
  if (listed instanceof Set) listed.delete(object);
  if (listed === object || (listed instanceof Set && listed.size === 0)) table.delete(value);
}
