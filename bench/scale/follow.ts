import { labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { podType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { podStateOf } from '../../operator/network/decide/podState.ts';
import type { Bed } from '../lib/bed.ts';

/** Follows networks and their pods through watches of its own. */
export interface Follower {
  /** What the status of a network says. */
  chainIdOf(networkUid: string): string | undefined;
  networks(): readonly Stored<NetworkResource>[];
  /** Resolves when `count` networks have been Operational. */
  operational(count: number): Promise<void>;
  /** Resolves when a network is Operational, to the milliseconds since its pod was ready. */
  statusDelayMs(name: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startFollower({ kube, namespace }: Pick<Bed, 'kube' | 'namespace'>): Promise<Follower> {
  const common = { kube, log: silentLog, clock: systemClock };
  const networks = createReflector({ ...common, type: networkType });
  const pods = createReflector({ ...common, type: podType, labelSelector: labels.network });
  /** When a network's pod was first seen ready, by the network's uid. */
  const readyMs = new Map<string, number>();
  /** When a network was first seen Operational, by its name. */
  const operationalMs = new Map<string, number>();
  const chainIds = new Map<string, string>();
  pods.onChange(({ object }) => {
    const uid = object.metadata.labels?.[labels.network] ?? '';
    if (!readyMs.has(uid) && podStateOf(object).phase === 'ready') readyMs.set(uid, performance.now());
  });
  networks.onChange(({ object: { metadata, status } }) => {
    if (status?.chainID !== undefined) chainIds.set(metadata.uid, status.chainID);
    if (status?.state !== 'Operational' || operationalMs.has(metadata.name)) return;
    operationalMs.set(metadata.name, performance.now());
  });
  for (const cache of [networks, pods]) cache.start();
  await Promise.all([networks.whenSynced(), pods.whenSynced()]);
  return {
    chainIdOf: (uid) => chainIds.get(uid),
    networks: networks.list,
    operational: (count) => whenTrue(networks, () => operationalMs.size >= count),
    async statusDelayMs(name) {
      await whenTrue(networks, () => operationalMs.has(name));
      const network = networks.get({ namespace, name });
      const atMs = operationalMs.get(name) ?? Number.NaN;
      // The two watches are independent: the status may be seen first.
      return Math.max(0, atMs - (readyMs.get(network?.metadata.uid ?? '') ?? atMs));
    },
    stop: async () => void (await Promise.all([networks.stop(), pods.stop()])),
  };
}

function whenTrue(networks: Reflector<NetworkResource>, isTrue: () => boolean): Promise<void> {
  if (isTrue()) return Promise.resolve();
  return new Promise((resolve) => {
    const leave = networks.onChange(() => {
      if (!isTrue()) return;
      leave();
      resolve();
    });
  });
}
