import { labels } from '../../../core/api/names.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { KubeObject, ResourceType } from '../../../core/kube/kube.ts';
import { ownerIndex } from '../../../core/kube/ownedBy.ts';
import { configMapType, persistentVolumeClaimType, podType, serviceType } from '../../../core/kube/types.ts';
import { createNetworkCaches } from '../caches.ts';
import type { NetworkCaches } from '../deps.ts';

/** The caches of the operator, but with children as kube-apiserver stores them: the operator's keep what it reads. */
export function createWholeCaches(deps: Parameters<typeof createNetworkCaches>[0]): NetworkCaches {
  const whole = <T extends KubeObject>(type: ResourceType<T>) =>
    createReflector({
      ...deps,
      type,
      labelSelector: labels.network,
      indexes: { network: ownerIndex(networkType.kind) },
    });
  return {
    ...createNetworkCaches(deps),
    pods: whole(podType),
    services: whole(serviceType),
    configMaps: whole(configMapType),
    volumeClaims: whole(persistentVolumeClaimType),
  };
}
