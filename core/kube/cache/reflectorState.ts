import type { KubeObject, Stored, WatchEvent } from '../kube.ts';
import { keyOf, parseVersion, strip, versionOf } from '../objects.ts';
import { createStore, type Indexes, type Store } from './store.ts';

/** What became different in a cache. An object that was replaced by a namesake is first deleted, then set. */
export type Change<T extends KubeObject> =
  | { type: 'set'; object: Stored<T>; previous?: Stored<T> }
  | { type: 'deleted'; object: Stored<T>; previous?: Stored<T> };

/** A cache's content and the rules by which lists, watch events and own writes change it. No I/O. */
export interface ReflectorState<T extends KubeObject> {
  store: Pick<Store<Stored<T>>, 'get' | 'list' | 'byIndex'>;
  /** Everything up to this version has been seen. */
  seenVersion(): bigint;
  /** Call before the first page is asked for: own writes from now on may be newer than the list. */
  beginList(): void;
  /** Takes a complete list; what it lacks is deleted. */
  endList(items: Stored<T>[], resourceVersion: string): Change<T>[];
  applyEvent(event: WatchEvent<T>): Change<T>[];
  /** Takes the answer of an own write, unless the cache has seen as new a state already. */
  observe(object: Stored<T>): Change<T>[];
}

/** An empty state. */
export function createReflectorState<T extends KubeObject>(indexes?: Indexes<Stored<T>>): ReflectorState<T> {
  const store = createStore(indexes);
  // Everything up to this version has been seen. An own write's answer that is not beyond it is either in the
  // store or deleted by now, so that nothing deleted ever comes back.
  let horizon = 0n;
  let observedDuringList = new Set<string>();

  /** A write of our own that the list may not have seen. */
  function isAheadOfList(key: string, listed: bigint): boolean {
    const current = store.get(key);
    return current !== undefined && observedDuringList.has(key) && versionOf(current) > listed;
  }

  function takeListed(item: Stored<T>): Change<T>[] {
    const key = keyOf(item.metadata);
    const isKnown = isSameState(store.get(key), item) || isAheadOfList(key, versionOf(item));
    return isKnown ? [] : put(store, strip(item));
  }

  return {
    store,
    seenVersion: () => horizon,
    beginList() {
      observedDuringList = new Set();
    },
    endList(items, resourceVersion) {
      horizon = parseVersion(resourceVersion);
      const listed = new Set(keysOf(items));
      const gone = keysOf(store.list()).filter((key) => !listed.has(key));
      const removed = gone.filter((key) => !isAheadOfList(key, horizon)).flatMap((key) => remove(store, key));
      return [...removed, ...items.flatMap(takeListed)];
    },
    applyEvent(event) {
      if (event.type === 'BOOKMARK') {
        horizon = parseVersion(event.resourceVersion);
        return [];
      }
      horizon = versionOf(event.object);
      return takeEvent(store, event.type, event.object);
    },
    observe(object) {
      const key = keyOf(object.metadata);
      const current = store.get(key);
      const version = versionOf(object);
      if (version <= horizon || (current && versionOf(current) >= version)) return [];
      observedDuringList.add(key);
      return put(store, strip(object));
    },
  };
}

function keysOf(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => keyOf(metadata));
}

function isSameState(one: KubeObject | undefined, other: KubeObject): boolean {
  return (
    one?.metadata.uid === other.metadata.uid &&
    one?.metadata.resourceVersion === other.metadata.resourceVersion
  );
}

function takeEvent<T extends KubeObject>(
  store: Store<Stored<T>>,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  object: Stored<T>,
): Change<T>[] {
  const key = keyOf(object.metadata);
  const current = store.get(key);
  const isCurrentNewer = current !== undefined && versionOf(current) >= versionOf(object);
  // A deletion is final for its uid; a newer namesake stays.
  const isOutdated =
    type === 'DELETED' ? isCurrentNewer && current.metadata.uid !== object.metadata.uid : isCurrentNewer;
  if (isOutdated) return [];
  return type === 'DELETED' ? remove(store, key, strip(object)) : put(store, strip(object));
}

function put<T extends KubeObject>(store: Store<Stored<T>>, object: Stored<T>): Change<T>[] {
  const previous = store.get(keyOf(object.metadata));
  store.set(object);
  if (!previous) return [{ type: 'set', object }];
  if (previous.metadata.uid === object.metadata.uid) return [{ type: 'set', object, previous }];
  return [
    { type: 'deleted', object: previous, previous },
    { type: 'set', object },
  ];
}

function remove<T extends KubeObject>(store: Store<Stored<T>>, key: string, last?: Stored<T>): Change<T>[] {
  const previous = store.get(key);
  if (!previous) return [];
  store.delete(key);
  return [{ type: 'deleted', object: last ?? previous, previous }];
}
