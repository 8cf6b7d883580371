import type { Keyring } from '../../core/accounts/keyring.ts';
import { annotations } from '../../core/api/names.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { type Pod, podType } from '../../core/kube/types.ts';
import { type Clock, toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { WarmMetrics } from './metrics.ts';
import type { WarmModel } from './models.ts';
import type { Pools } from './pools.ts';
import { dividePod, isPod } from './shape.ts';
import { isAdoptable } from './waitingPod.ts';

export interface AdoptDeps {
  kube: Pick<Kube, 'patch' | 'serverTimeMs'>;
  /** Requires the index `waiting`. */
  caches: { pods: Pick<Reflector<Pod>, 'byIndex' | 'observe'> };
  keys: { engines: Keyring };
  pools: Pools;
  metrics: WarmMetrics;
  clock: Clock;
  log: Log;
}

/** The children that a network must have, and those that it has. */
export interface AdoptRequest {
  network: Stored<NetworkResource>;
  children: readonly KubeObject[];
  observed: readonly KubeObject[];
}

/** Gives the network a waiting pod for each missing child, as far as there are any. */
export function createAdopt(deps: AdoptDeps, model: WarmModel) {
  const { caches, pools, metrics, clock, log } = deps;

  /** Each pod may be taken or deleted meanwhile. */
  async function claim(rendered: Pod): Promise<Stored<Pod> | undefined> {
    for (const pod of caches.pods.byIndex('waiting', rendered.metadata.namespace ?? '')) {
      if (!isAdoptable(pod, model, deps.keys.engines) || !pools.take(pod)) continue;
      const claimed = await claimPod(deps, pod, rendered);
      if (claimed) return claimed;
    }
    return undefined;
  }

  async function adoptFor(rendered: Pod): Promise<Stored<Pod> | undefined> {
    const { namespace = '', name } = rendered.metadata;
    const pod = await claim(rendered);
    pools.used(namespace, clock.nowMs());
    metrics.started(pod ? 'adopted' : 'missed');
    if (pod) log.debug('adopted a waiting pod', { namespace, pod: pod.metadata.name, inPlaceOf: name });
    return pod;
  }

  return async ({ network, children, observed }: AdoptRequest): Promise<Stored<Pod>[]> => {
    if (pools.pausedUntilMs(network.metadata.namespace) > clock.nowMs()) return [];
    const names = new Set(observed.filter(isPod).map(({ metadata }) => metadata.name));
    const missing = children
      .filter(isPod)
      .filter((pod) => !names.has(pod.metadata.name) && dividePod(pod, children)?.shape === model.shape);
    const adopted = await Promise.all(missing.map(adoptFor));
    return adopted.filter((pod) => pod !== undefined);
  };
}

/** With the resource version, only one network gets the pod, and none gets one that is being deleted. */
async function claimPod(
  { kube, caches, pools }: AdoptDeps,
  pod: Stored<Pod>,
  rendered: Pod,
): Promise<Stored<Pod> | undefined> {
  const { namespace, name, uid, resourceVersion } = pod.metadata;
  const { labels, ownerReferences, annotations: counts } = rendered.metadata;
  const notes = { ...counts, [annotations.adopted]: toRfc3339(await kube.serverTimeMs()) };
  const metadata = { uid, resourceVersion, labels, annotations: notes, ownerReferences };
  try {
    const claimed = await kube.patch(podType, { ...compact({ namespace }), name }, { metadata });
    caches.pods.observe(claimed);
    return claimed;
  } catch (error) {
    pools.leave(pod);
    if (isAppError(error, 'Conflict') || isAppError(error, 'NotFound')) return undefined;
    throw error;
  }
}
