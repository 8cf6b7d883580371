import { networkType } from '../../../core/api/resources/resources.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import { ownerIndex } from '../../../core/kube/ownedBy.ts';
import type { EndpointSlice, Service } from '../../../core/kube/types.ts';
import { type EngineCaches, lowestReady, slicesOf } from '../../../core/networks/engineSlices.ts';
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
  const byNetwork = new Map<string, Map<string, Upstream | undefined>>();
  return {
    forget: () => byNetwork.clear(),
    find(networkUid, port) {
      if (caches.networks.byIndex('uid', networkUid).length === 0) return undefined;
      const byPort = byNetwork.get(networkUid) ?? new Map<string, Upstream | undefined>();
      if (byPort.has(port)) return byPort.get(port);
      byNetwork.set(networkUid, byPort);
      const [upstream] = slicesOf(caches, networkUid)
        .flatMap((slice) => upstreamOf(slice, port))
        .sort(byHost);
      byPort.set(port, upstream);
      return upstream;
    },
  };
}

function upstreamOf(slice: EndpointSlice, name: string): Upstream[] {
  const ready = lowestReady(slice);
  const port = slice.ports?.find((candidate) => (candidate.name ?? '') === name)?.port;
  return ready && port ? [{ ...ready, port }] : [];
}

const byHost = (one: Upstream, other: Upstream): number => (one.host < other.host ? -1 : 1);
