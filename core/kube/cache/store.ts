import { AppError } from '../../lib/errors.ts';
import type { KubeObject } from '../kube.ts';
import { keyOf } from '../objects.ts';

/** The values under which an index lists an object; an empty array omits it. */
export type Indexes<T> = Record<string, (object: T) => string[]>;

/** Objects of one kind in memory, found by name or by an index. */
export interface Store<T> {
  get(key: string): T | undefined;
  set(object: T): void;
  delete(key: string): void;
  list(): T[];
  keys(): string[];
  byIndex(name: string, value: string): T[];
}

/** The keys under one value of an index: most values have one, which needs no set. */
type Keys = string | Set<string>;

/** An empty store with the given indexes. */
export function createStore<T extends KubeObject>(indexes: Indexes<T> = {}): Store<T> {
  const objects = new Map<string, T>();
  const tables = new Map(Object.keys(indexes).map((name) => [name, new Map<string, Keys>()]));

  function forEachEntry(object: T, visit: (table: Map<string, Keys>, value: string) => void): void {
    for (const [name, valuesOf] of Object.entries(indexes)) {
      const table = tables.get(name);
      if (table) for (const value of valuesOf(object)) visit(table, value);
    }
  }

  function remove(key: string): void {
    const object = objects.get(key);
    if (!object) return;
    objects.delete(key);
    forEachEntry(object, (table, value) => {
      const keys = table.get(value);
      if (keys instanceof Set) keys.delete(key);
      if (keys === key || (keys instanceof Set && keys.size === 0)) table.delete(value);
    });
  }

  return {
    get: (key) => objects.get(key),
    set(object) {
      const key = keyOf(object.metadata);
      remove(key);
      objects.set(key, object);
      forEachEntry(object, (table, value) => {
        table.set(value, withKey(table.get(value), key));
      });
    },
    delete: remove,
    list: () => [...objects.values()],
    keys: () => [...objects.keys()],
    byIndex(name, value) {
      const table = tables.get(name);
      if (!table) throw new AppError('Internal', `unknown index "${name}"`);
      const found: T[] = [];
      const keys = table.get(value) ?? [];
      for (const key of typeof keys === 'string' ? [keys] : keys) {
        const object = objects.get(key);
        if (object) found.push(object);
      }
      return found;
    },
  };
}

function withKey(keys: Keys | undefined, key: string): Keys {
  if (keys === undefined || keys === key) return key;
  return typeof keys === 'string' ? new Set([keys, key]) : keys.add(key);
}
