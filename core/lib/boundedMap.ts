/** A map of at most `maxEntries` entries: setting one more evicts the entry that was set longest ago. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  /** Makes the entry the newest. */
  set(key: K, value: V): void;
  delete(key: K): void;
}

export function createBoundedMap<K, V>(maxEntries: number): BoundedMap<K, V> {
  const entries = new Map<K, V>();
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
    delete: (key) => void entries.delete(key),
  };
}
