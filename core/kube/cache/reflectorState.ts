import type { KubeObject, ObjectRef, Stored, WatchEvent } from '../kube.ts';
import { keyOf, parseVersion, strip, versionOf } from '../objects.ts';
import { createStore, type Indexes, type Store } from './store.ts';

/** A change of a cache. An object that was replaced by another of the same name is first deleted, then set. */
export type Change<T extends KubeObject> =
  | { type: 'set'; object: Stored<T>; previous?: Stored<T> }
  | { type: 'deleted'; object: Stored<T>; previous?: Stored<T> };

/** The content of a cache, and how lists, watch events and own writes change it. No I/O. */
export interface ReflectorState<T extends KubeObject> {
  store: Pick<Store<Stored<T>>, 'get' | 'list' | 'byIndex'>;
  /** Everything up to this version has been seen. */
  seenVersion(): bigint;
  /** Call before the first page is requested: own writes from now on may be newer than the list. */
  beginList(): void;
  /** Applies a complete list; objects missing in it are deleted. */
  endList(items: Stored<T>[], resourceVersion: string): Change<T>[];
  applyEvent(event: WatchEvent<T>): Change<T>[];
  /** Applies the answer to an own write, unless the cache has already seen a state as new. */
  observe(object: Stored<T>): Change<T>[];
}

/** An empty state. */
export function createReflectorState<T extends KubeObject>(indexes?: Indexes<Stored<T>>): ReflectorState<T> {
  const store = createStore(indexes);
  // Everything up to this version has been seen. The answer to an own write that is not newer is either in the store
  // or already deleted, so that a deleted object never comes back.
  let horizon = 0n;
  let observedDuringList = new Set<string>();

  /** Whether an own write is newer than the list. */
  function isAheadOfList(ref: ObjectRef, listed: bigint): boolean {
    const current = store.get(ref);
    return current !== undefined && observedDuringList.has(keyOf(ref)) && versionOf(current) > listed;
  }

  function takeListed(item: Stored<T>): Change<T>[] {
    const isKnown =
      isSameState(store.get(item.metadata), item) || isAheadOfList(item.metadata, versionOf(item));
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
      const listed = new Set(items.map(({ metadata }) => keyOf(metadata)));
      const removed = store
        .list()
        .filter(({ metadata }) => !listed.has(keyOf(metadata)) && !isAheadOfList(metadata, horizon))
        .flatMap(({ metadata }) => remove(store, metadata));
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
      const [current, version] = [store.get(object.metadata), versionOf(object)];
      if (version <= horizon || (current && versionOf(current) >= version)) return [];
      observedDuringList.add(keyOf(object.metadata));
      return put(store, strip(object));
    },
  };
}

/** Whether two objects are the same version of the same object. */
export function isSameState(one: KubeObject | undefined, other: KubeObject): boolean {
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
  const current = store.get(object.metadata);
  const isCurrentNewer = current !== undefined && versionOf(current) >= versionOf(object);
  // A deletion is final for its uid; a newer namesake stays.
  const isOutdated =
    type === 'DELETED' ? isCurrentNewer && current.metadata.uid !== object.metadata.uid : isCurrentNewer;
  if (isOutdated) return [];
  return type === 'DELETED' ? remove(store, object.metadata, strip(object)) : put(store, strip(object));
}

function put<T extends KubeObject>(store: Store<Stored<T>>, object: Stored<T>): Change<T>[] {
  const previous = store.get(object.metadata);
  store.set(object);
  if (!previous) return [{ type: 'set', object }];
  if (previous.metadata.uid === object.metadata.uid) return [{ type: 'set', object, previous }];
  return [
    { type: 'deleted', object: previous, previous },
    { type: 'set', object },
  ];
}

function remove<T extends KubeObject>(
  store: Store<Stored<T>>,
  ref: ObjectRef,
  last?: Stored<T>,
): Change<T>[] {
  const previous = store.get(ref);
  if (!previous) return [];
  store.delete(ref);
  return [{ type: 'deleted', object: last ?? previous, previous }];
}
