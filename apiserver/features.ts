import type { NamespacedObject, ResourceType } from '../core/api/resources/kubeObject.ts';
import type { Reflector } from '../core/kube/cache/reflector.ts';
import { merged } from '../core/lib/typed.ts';
import { features } from '../features/registry/server.ts';
import type { Surroundings } from './feature.ts';
import type { ReadsAfterWrites } from './store/readsAfterWrites.ts';
import { createKindOf } from './store/storedKinds.ts';

export interface FeaturesDeps extends Omit<Surroundings, 'watch'> {
  reads: ReadsAfterWrites;
  openCache<T extends NamespacedObject>(type: ResourceType<T>): Reflector<T>;
}

type Cache = Pick<Reflector<NamespacedObject>, 'start' | 'whenSynced' | 'stop' | 'lastSyncMs'>;

/** What all features add to this process. Their caches must be started like the others. */
export function createFeatures({ openCache, ...deps }: FeaturesDeps) {
  const caches: Cache[] = [];
  const kindOf = createKindOf(deps);
  const watch: Surroundings['watch'] = (type) => {
    const cache = openCache(type);
    deps.reads.follow(cache);
    caches.push(cache);
    return kindOf(cache);
  };
  const parts = features.map((feature) => feature.create({ ...deps, watch }));
  return {
    caches,
    handlers: merged(parts.map(({ handlers }) => handlers)),
    keepSecrets: parts.flatMap(({ keepsSecret }) => keepsSecret ?? []),
    budgets: parts.flatMap(({ budgets = [] }) => budgets),
  };
}
