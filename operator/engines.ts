import { labels } from '../core/api/names.ts';
import type { Reflector, ReflectorOptions } from '../core/kube/cache/reflector.ts';
import { createReflector } from '../core/kube/cache/reflector.ts';
import { type EndpointSlice, endpointSliceType } from '../core/kube/types.ts';
import { authorityOf } from '../core/lib/authority.ts';

/** EndpointSlices of networks' Services; a slice has the labels of its Service. Not yet started. */
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

/** URL of the JSON-RPC of a network's engine; undefined while none is ready. */
export type EngineUrlOf = (networkUid: string) => string | undefined;

/** The pod itself: the Service's address leads there only seconds after the pod is ready. */
export function createEngineLookup(slices: Pick<Reflector<EndpointSlice>, 'byIndex'>): EngineUrlOf {
  return (networkUid) => {
    for (const { endpoints, ports } of slices.byIndex('network', networkUid)) {
      const port = ports?.find(({ name }) => name === 'rpc')?.port;
      // An absent condition means ready. The lowest address, so that every call meets the same node.
      const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
      const [host] = ready.flatMap(({ addresses }) => addresses).sort();
      if (port && host) return `http://${authorityOf({ host, port })}`;
    }
    return undefined;
  };
}
