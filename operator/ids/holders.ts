import { idKey, idOf, oldest } from '../../core/api/ids.ts';
import type { NamespacedObject } from '../../core/api/resources/kubeObject.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { IdCache } from './kinds.ts';

/** Which of the objects with one id keeps it, for one term of leadership. */
export interface Holders {
  keeps(kinds: string, object: Stored<NamespacedObject>): boolean;
  /** For an object that is gone. */
  forget(kinds: string, object: Stored<NamespacedObject>): void;
}

/**
 * The first one that was seen keeps its id as long as it is there, because work under that id may have begun: creation times
 * are whole seconds and do not tell which of two came first.
 */
export function createHolders(caches: Readonly<Record<string, Pick<IdCache, 'byIndex'>>>): Holders {
  const holders = new Map<string, string>();
  const keyOf = (kinds: string, object: Stored<NamespacedObject>) =>
    `${kinds}/${idKey(object.metadata.namespace, idOf(object))}`;
  return {
    keeps(kinds, object) {
      const id = idOf(object);
      const key = keyOf(kinds, object);
      const found = caches[kinds]?.byIndex('id', idKey(object.metadata.namespace, id)) ?? [];
      const there = found.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      // Nobody gets the uid of another object, by which that one is found as well.
      if (there.some(({ metadata: { uid } }) => uid === id && uid !== object.metadata.uid)) return false;
      const isHolder = ({ metadata }: Stored<NamespacedObject>) => metadata.uid === holders.get(key);
      const rivals = found.filter((one) => idOf(one) === id);
      const holder = rivals.find((one) => isHolder(one) && there.includes(one)) ?? oldest(rivals) ?? object;
      holders.set(key, holder.metadata.uid);
      return holder.metadata.uid === object.metadata.uid;
    },
    forget(kinds, object) {
      const key = keyOf(kinds, object);
      if (holders.get(key) === object.metadata.uid) holders.delete(key);
    },
  };
}
