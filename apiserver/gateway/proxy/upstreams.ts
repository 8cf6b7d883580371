import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { ownerIndex } from '../../../core/kube/ownedBy.ts';
import type { EndpointSlice, Service } from '../../../core/kube/types.ts';
import { type EngineCaches, lowestReadyAddress, slicesOf } from '../../../core/networks/engineSlices.ts';
import type { Upstream, UpstreamLookup } from '../deps.ts';

interface UpstreamCaches extends EngineCaches {
  services: Pick<Reflector<Service>, 'byIndex' | 'onChange'>;
  slices: Pick<Reflector<EndpointSlice>, 'byIndex' | 'onChange'>;
}

const networksOf = ownerIndex(networkType.kind);

/**
 * Finds the pods behind the Services of networks in their EndpointSlices. The cluster IP is not used: kube-proxy may
 * take seconds to program it, and a new network is called immediately.
 */
export function createUpstreamLookup(caches: UpstreamCaches): UpstreamLookup {
  const listeners = new Set<(networkUid: string) => void>();
  const known = createKnown(caches);
  const tell = (networkUid: string) => {
    for (const listener of [...listeners]) listener(networkUid);
  };
  caches.services.onChange(({ object }) => {
    known.forget();
    networksOf(object).forEach(tell);
  });
  caches.slices.onChange(({ object }) => {
    known.forget();
    const owners = (object.metadata.ownerReferences ?? []).map(({ uid }) => uid);
    for (const owner of owners) caches.services.byIndex('uid', owner).flatMap(networksOf).forEach(tell);
  });
  return {
    find: known.find,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * Remembers what every call asks for. A change of any Service or slice makes it forget everything: that is rare compared with
 * calls, and nothing has to be known of how they depend on each other.
 */
function createKnown(caches: UpstreamCaches): Pick<UpstreamLookup, 'find'> & { forget(): void } {
  const byPort = new Map<string, { network: Stored<NetworkResource>; upstream: Upstream | undefined }>();
  return {
    forget: () => byPort.clear(),
    find(networkUid, port) {
      const [network] = caches.networks.byIndex('uid', networkUid);
      if (!network) return undefined;
      const key = `${networkUid}/${port}`;
      const before = byPort.get(key);
      if (before?.network === network) return before.upstream;
      const upstream = slicesOf(caches, networkUid)
        .flatMap((slice) => upstreamOf(slice, port))
        .sort(byHost)[0];
      byPort.set(key, { network, upstream });
      return upstream;
    },
  };
}

function upstreamOf(slice: EndpointSlice, name: string): Upstream[] {
  const host = lowestReadyAddress(slice);
  const port = slice.ports?.find((candidate) => (candidate.name ?? '') === name)?.port;
  return host !== undefined && port ? [{ host, port }] : [];
}

const byHost = (one: Upstream, other: Upstream): number => (one.host < other.host ? -1 : 1);
