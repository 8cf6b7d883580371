import { idIndex, originIndex } from '../../core/api/ids.ts';
import { labels } from '../../core/api/names.ts';
import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import { memberNamesOf } from '../../core/api/resources/layerZero.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { waitsForPersistence, wantsPersistence } from '../../core/api/rules/persistentQuota.ts';
import { secretNamesOf } from '../../core/api/rules/secretReferences.ts';
import type { EventLog } from '../../core/events/log/eventLog.ts';
import { keepAll, keepIdentity } from '../../core/kube/cache/keep.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import type { KubeMetrics } from '../../core/kube/metrics.ts';
import { ownerIndex } from '../../core/kube/ownedBy.ts';
import { configMapType, persistentVolumeClaimType, podType, serviceType } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import { keepService, serviceIndexes } from '../../core/networks/engineSlices.ts';
import { createSnapshotCache } from '../snapshot/caches.ts';
import { waitingIndex } from '../warm/waitingPod.ts';
import { chainIdIndex } from './decide/chainIds.ts';
import type { NetworkCaches } from './deps.ts';
import { keepConfigMap, keepPod } from './keep.ts';

interface CacheDeps {
  kube: Kube;
  clock: Clock;
  log: Log;
  kubeMetrics: KubeMetrics;
  /** What sees every change of networks, secrets and snapshots. */
  taps?: Pick<EventLog['taps'], 'networks' | 'secrets' | 'snapshots'>;
}

/** The caches for networks and their children. Children carry the network's label, and are indexed by their owner. */
export function createNetworkCaches({ taps, ...deps }: CacheDeps): NetworkCaches {
  const children = { labelSelector: labels.network, indexes: { network: networkUids } };
  return {
    networks: createReflector({
      ...deps,
      tap: taps?.networks,
      type: networkType,
      trim: keepAll,
      indexes: {
        uid: ({ metadata }) => [metadata.uid],
        ...idIndex,
        ...originIndex,
        chainId: chainIdIndex,
        secret: secretIndex,
        member: memberIndex,
        snapshot: snapshotIndex,
        persistent: (network) => (wantsPersistence(network) ? [network.metadata.namespace] : []),
        waitsForQuota: (network) => (waitsForPersistence(network) ? [network.metadata.namespace] : []),
      },
    }),
    secrets: createReflector({ ...deps, tap: taps?.secrets, type: secretType, indexes: idIndex }),
    snapshots: createSnapshotCache({ ...deps, tap: taps?.snapshots }),
    pods: createReflector({
      ...deps,
      ...children,
      type: podType,
      indexes: { network: networkUids, waiting: waitingIndex },
      trim: keepPod,
    }),
    services: createReflector({
      ...deps,
      ...children,
      type: serviceType,
      indexes: serviceIndexes,
      trim: keepService,
    }),
    configMaps: createReflector({ ...deps, type: configMapType, ...children, trim: keepConfigMap }),
    volumeClaims: createReflector({
      ...deps,
      ...children,
      type: persistentVolumeClaimType,
      trim: keepIdentity,
    }),
  };
}

const networkUids = ownerIndex(networkType.kind);

/** The secrets that a network refers to, as `namespace/name`. */
function secretIndex({ metadata, spec }: Stored<NetworkResource>): string[] {
  return secretNamesOf(spec).map((name) => `${metadata.namespace}/${name}`);
}

/** The snapshot that a network's chains begin from, as `namespace/name`. */
function snapshotIndex({ metadata, spec }: Stored<NetworkResource>): string[] {
  return spec.from ? [`${metadata.namespace}/${spec.from.snapshot}`] : [];
}

/** The members of a LayerZero network, as `namespace/name`. */
export function memberIndex({ metadata, spec }: Stored<NetworkResource>): string[] {
  return memberNamesOf(spec.chain).map((name) => `${metadata.namespace}/${name}`);
}

/** Calls `add` with the uid of each network that a change may affect. Call the returned function to stop. */
export function watchNetworkChanges(caches: NetworkCaches, add: (uid: string) => void): () => void {
  // Existing children may be left over from a network that is already gone.
  const addChildren = <T extends KubeObject>(cache: Reflector<T>) => {
    for (const child of cache.list()) networkUids(child).forEach(add);
    return cache.onChange(({ object }) => networkUids(object).forEach(add));
  };
  const stops = [
    caches.networks.onChange(({ object, type }) => {
      add(object.metadata.uid);
      // Another network may be waiting for a chain id that becomes free.
      const freed = type === 'deleted' ? chainIdIndex(object) : [];
      for (const chainId of freed) {
        for (const { metadata } of caches.networks.byIndex('chainId', chainId)) add(metadata.uid);
      }
      // The same goes for a slot in the quota of persistent networks.
      const { namespace } = object.metadata;
      const waiting =
        type === 'deleted' || !wantsPersistence(object)
          ? caches.networks.byIndex('waitsForQuota', namespace)
          : [];
      for (const { metadata } of waiting) add(metadata.uid);
    }),
    caches.secrets.onChange(({ object: { metadata } }) => {
      const users = caches.networks.byIndex('secret', `${metadata.namespace}/${metadata.name}`);
      for (const network of users) add(network.metadata.uid);
    }),
    caches.snapshots.onChange(({ object: { metadata } }) => {
      const users = caches.networks.byIndex('snapshot', `${metadata.namespace}/${metadata.name}`);
      for (const network of users) add(network.metadata.uid);
    }),
    addChildren(caches.pods),
    addChildren(caches.services),
    addChildren(caches.configMaps),
    addChildren(caches.volumeClaims),
  ];
  for (const network of caches.networks.list()) add(network.metadata.uid);
  return stopAll(stops);
}
