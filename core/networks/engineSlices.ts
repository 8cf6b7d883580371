import type { NetworkResource } from '../api/resources/network.ts';
import { networkType } from '../api/resources/resources.ts';
import { keepIdentity, keepOf } from '../kube/cache/keep.ts';
import type { Reflector } from '../kube/cache/reflector.ts';
import type { Stored } from '../kube/kube.ts';
import { ownedBy, ownerIndex } from '../kube/ownedBy.ts';
import { type EndpointSlice, type Service, serviceType } from '../kube/types.ts';
import { compact } from '../lib/compact.ts';

/** The caches through which engines are found, with the indexes below. */
export interface EngineCaches {
  /** Requires the index `uid`. */
  networks: Pick<Reflector<NetworkResource>, 'byIndex'>;
  services: Pick<Reflector<Service>, 'byIndex'>;
  slices: Pick<Reflector<EndpointSlice>, 'byIndex'>;
}

export const serviceIndexes = {
  uid: ({ metadata }: Stored<Service>) => [metadata.uid],
  network: ownerIndex(networkType.kind),
};
/** What is kept of a Service: it leads from a network to its EndpointSlices. */
export const keepService = keepIdentity<Service>;

/**
 * What is kept of an EndpointSlice: the addresses that can be called, and the names of their ports. Its labels are those of
 * its Service, which are kept.
 */
export function keepSlice(slice: Stored<EndpointSlice>): Stored<EndpointSlice> {
  const { addressType, endpoints, ports } = slice;
  const { labels: _, ...metadata } = slice.metadata;
  return keepOf(
    { ...slice, metadata },
    {
      addressType,
      endpoints: (endpoints ?? []).map(({ addresses, conditions, targetRef }) => ({
        addresses,
        ...(targetRef?.uid ? { targetRef: { uid: targetRef.uid } } : {}),
        // An absent condition means ready.
        ...(conditions?.ready === false ? { conditions: { ready: false } } : {}),
      })),
      ...compact({ ports: ports?.map(({ name, port }) => ({ name, port })) }),
    },
  );
}

export const sliceIndexes = { service: ownerIndex(serviceType.kind) };

/** The EndpointSlices (discovery.k8s.io/v1) of the Services that a network owns. */
export function slicesOf(caches: EngineCaches, networkUid: string): Stored<EndpointSlice>[] {
  const [network] = caches.networks.byIndex('uid', networkUid);
  if (!network) return [];
  const services = caches.services.byIndex('network', networkUid).filter(ownedBy(network));
  return services.flatMap((service) =>
    caches.slices.byIndex('service', service.metadata.uid).filter(ownedBy(service)),
  );
}

/** A pod that can be called. */
export interface ReadyPod {
  host: string;
  /** Its uid. */
  pod?: string;
}

/** The one with the lowest address, so that all replicas and calls reach the same node and its filters. */
export function lowestReady({ endpoints }: EndpointSlice): ReadyPod | undefined {
  // An absent condition means ready.
  const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  const pods = ready.flatMap(({ addresses, targetRef }) =>
    addresses.map((host): ReadyPod => ({ host, ...compact({ pod: targetRef?.uid }) })),
  );
  return pods.sort((one, other) => (one.host < other.host ? -1 : 1))[0];
}
