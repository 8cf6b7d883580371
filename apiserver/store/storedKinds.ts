import type { NamespacedObject } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import { createCache, type IsShown, type ObjectCache } from './cache.ts';
import type { Caches } from './caches.ts';
import { createFind, type Find } from './find.ts';
import type { Store } from './kubeErrors.ts';
import type { ReadsAfterWrites } from './readsAfterWrites.ts';

/** How handlers read one kind. Everything that was acknowledged before the request is in the cache. */
export interface StoredKind<T extends NamespacedObject> {
  cache: ObjectCache<T>;
  find: Find<T>;
  /** The first matching object, in a state that has all writes of this replica; undefined after the timeout. */
  waitFor: Reflector<T>['waitFor'];
  /** Called after each change. Returns a function that removes the listener. */
  onChange: Reflector<T>['onChange'];
}

export interface StoredKindsOptions {
  kube: Pick<Store, 'get' | 'list'>;
  caches: Pick<Caches, 'networks' | 'secrets' | 'snapshots' | 'recordings' | 'tokens'>;
  reads: Pick<ReadsAfterWrites, 'reached' | 'note'>;
}

/** Networks alone are shown while they are being deleted. */
const isStaying: IsShown = ({ metadata }) => metadata.deletionTimestamp === undefined;

export type StoredKinds = ReturnType<typeof createStoredKinds>;

/** Of a kind that its reflector watches. */
export type KindOf = <T extends NamespacedObject>(
  reflector: Reflector<T>,
  isShown?: IsShown,
) => StoredKind<T>;

export function createKindOf({ kube, reads }: Pick<StoredKindsOptions, 'kube' | 'reads'>): KindOf {
  return (reflector, isShown = isStaying) => {
    const cache = createCache(reflector, isShown);
    return {
      cache,
      find: createFind({ kube, cache, type: reflector.type, isShown }),
      onChange: reflector.onChange,
      async waitFor(predicate, options) {
        await reads.reached(reflector);
        const found = await reflector.waitFor(predicate, options);
        if (found) reads.note(found);
        return found;
      },
    };
  };
}

/** The kinds that REST reads. */
export function createStoredKinds({ caches, ...options }: StoredKindsOptions) {
  const kindOf = createKindOf(options);
  return {
    networks: kindOf(caches.networks, () => true),
    secrets: kindOf(caches.secrets),
    snapshots: kindOf(caches.snapshots),
    recordings: kindOf(caches.recordings),
    tokens: kindOf(caches.tokens),
  };
}
