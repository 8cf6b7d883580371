import type { KubeObject, ResourceType, Stored } from '../../kube.ts';
import { keyOf } from '../../objects.ts';

/** Which manager of server-side apply owns which field. Keys are paths in the format of fakeApply.ts. */
export type FieldOwners = Map<string, Set<string>>;

export interface StoredObject {
  type: ResourceType;
  object: Stored<KubeObject>;
  owners: FieldOwners;
}

/** One write, as a watch reports it. */
export interface LogEntry {
  version: number;
  kind: string;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: Stored<KubeObject>;
  previous?: Stored<KubeObject>;
}

/** The fake's etcd: objects, a global version counter, and the log of writes since the compaction. */
export interface FakeStorage {
  version(): number;
  get(type: ResourceType, ref: { namespace?: string; name: string }): StoredObject | undefined;
  /** All objects of a type by namespace and name. */
  list(type: ResourceType): Stored<KubeObject>[];
  all(): StoredObject[];
  /** Writes an object with the next version; returns the stored object. */
  put(stored: StoredObject): Stored<KubeObject>;
  remove(stored: StoredObject): Stored<KubeObject>;
  /** Log entries of a type after `version`; undefined when some of them were compacted. */
  since(type: ResourceType, version: number): LogEntry[] | undefined;
  /** All objects of a type as they were at `version`; undefined when it was compacted. */
  listAt(type: ResourceType, version: number): Stored<KubeObject>[] | undefined;
  compact(): void;
  subscribe(listener: (entry: LogEntry) => void): () => void;
}

/** Group and plural, which identify a collection. */
export function kindKey(type: ResourceType): string {
  return `${type.group}/${type.plural}`;
}

export function createFakeStorage(): FakeStorage {
  const collections = new Map<string, Map<string, StoredObject>>();
  const listeners = new Set<(entry: LogEntry) => void>();
  let log: LogEntry[] = [];
  let version = 1000;
  let compactedVersion = version;

  const collectionOf = (type: ResourceType) => {
    const found = collections.get(kindKey(type)) ?? new Map<string, StoredObject>();
    collections.set(kindKey(type), found);
    return found;
  };

  function write(
    stored: StoredObject,
    type: LogEntry['type'],
    previous: Stored<KubeObject> | undefined,
  ): Stored<KubeObject> {
    version += 1;
    const metadata = { ...stored.object.metadata, resourceVersion: String(version) };
    stored.object = { ...stored.object, metadata };
    const entry = { version, kind: kindKey(stored.type), type, object: stored.object };
    const whole: LogEntry = previous ? { ...entry, previous } : entry;
    log.push(whole);
    for (const listener of [...listeners]) listener(whole);
    return stored.object;
  }

  const since: FakeStorage['since'] = (type, after) => {
    if (after < compactedVersion) return undefined;
    return log.filter((entry) => entry.version > after && entry.kind === kindKey(type));
  };

  return {
    version: () => version,
    get: (type, ref) => collectionOf(type).get(keyOf(ref)),
    list(type) {
      const found = [...collectionOf(type).entries()].sort(([a], [b]) => (a < b ? -1 : 1));
      return found.map(([, stored]) => stored.object);
    },
    all: () => [...collections.values()].flatMap((collection) => [...collection.values()]),
    put(stored) {
      const collection = collectionOf(stored.type);
      const key = keyOf(stored.object.metadata);
      const previous = collection.get(key)?.object;
      collection.set(key, stored);
      return write(stored, previous ? 'MODIFIED' : 'ADDED', previous);
    },
    remove(stored) {
      collectionOf(stored.type).delete(keyOf(stored.object.metadata));
      return write({ ...stored }, 'DELETED', stored.object);
    },
    since,
    listAt(type, at) {
      const undone = since(type, at)?.reverse();
      if (!undone) return undefined;
      const found = new Map([...collectionOf(type)].map(([key, { object }]) => [key, object]));
      for (const { object, previous } of undone) {
        const key = keyOf(object.metadata);
        if (previous) found.set(key, previous);
        else found.delete(key);
      }
      return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    },
    compact() {
      compactedVersion = version;
      log = [];
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
