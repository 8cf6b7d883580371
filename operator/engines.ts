import { labels } from '../core/api/names.ts';
import type { Reflector, ReflectorOptions } from '../core/kube/cache/reflector.ts';
import { createReflector } from '../core/kube/cache/reflector.ts';
import { type EndpointSlice, endpointSliceType } from '../core/kube/types.ts';
import { authorityOf } from '../core/lib/authority.ts';

/** A cache of the EndpointSlices of networks' Services, not yet started. A slice has the labels of its Service. */
export function createSliceCache(
  options: Pick<ReflectorOptions<EndpointSlice>, 'kube' | 'clock' | 'log' | 'metrics'>,
): Reflector<EndpointSlice> {
  return createReflector({
    ...options,
    type: endpointSliceType,
    labelSelector: labels.network,
    indexes: { network: ({ metadata }) => [metadata.labels?.[labels.network] ?? ''] },
  });
}

/** The JSON-RPC URL of a network's engine; undefined while none is ready. */
export type EngineUrlOf = (networkUid: string) => string | undefined;

/** Returns the pod's address: the Service routes to the pod only seconds after it is ready. */
export function createEngineLookup(slices: Pick<Reflector<EndpointSlice>, 'byIndex'>): EngineUrlOf {
  return (networkUid) => {
    for (const { endpoints, ports } of slices.byIndex('network', networkUid)) {
      const port = ports?.find(({ name }) => name === 'rpc')?.port;
      // A missing condition means ready. Picks the lowest address, so that all calls reach the same node.
      const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
      const [host] = ready.flatMap(({ addresses }) => addresses).sort();
      if (port && host) return `http://${authorityOf({ host, port })}`;
    }
    return undefined;
  };
}
