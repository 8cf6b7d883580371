import { labels } from '../../core/api/names.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import type { KubeObject } from '../../core/kube/kube.ts';
import { podType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { podStateOf } from '../../operator/network/decide/podState.ts';
import type { Bed } from '../lib/bed.ts';

/** Resolves with the time (performance.now) at which all objects have reached each stage. */
export interface Progress {
  podsCreated: Promise<number>;
  podsReady: Promise<number>;
  networksOperational: Promise<number>;
  stop(): Promise<void>;
}

/** Follows pods and networks through watches. */
export async function followProgress({ kube, namespace }: Bed, count: number): Promise<Progress> {
  const common = { kube, namespace, log: silentLog, clock: systemClock };
  const pods = createReflector({ ...common, type: podType, labelSelector: labels.network });
  const networks = createReflector({ ...common, type: networkType });
  const progress = {
    podsCreated: countMatches(pods, count, () => true),
    podsReady: countMatches(pods, count, (pod) => podStateOf(pod).phase === 'ready'),
    networksOperational: countMatches(networks, count, ({ status }) => status?.state === 'Operational'),
    stop: async () => void (await Promise.all([pods.stop(), networks.stop()])),
  };
  pods.start();
  networks.start();
  await Promise.all([pods.whenSynced(), networks.whenSynced()]);
  return progress;
}

/** Resolves with the time at which `count` objects have matched. */
function countMatches<T extends KubeObject>(
  cache: Reflector<T>,
  count: number,
  matches: (object: T) => boolean,
): Promise<number> {
  const seen = new Set<string>();
  return new Promise((resolve) => {
    cache.onChange(({ object }) => {
      if (!matches(object)) return;
      seen.add(object.metadata.name);
      if (seen.size === count) resolve(performance.now());
    });
  });
}
