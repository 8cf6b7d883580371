import { labels } from '../core/api/names.ts';
import type { Reflector, ReflectorOptions } from '../core/kube/cache/reflector.ts';
import { createReflector } from '../core/kube/cache/reflector.ts';
import { type EndpointSlice, endpointSliceType } from '../core/kube/types.ts';
import { authorityOf } from '../core/lib/authority.ts';
import { compact } from '../core/lib/compact.ts';
import {
  type EngineCaches,
  keepSlice,
  lowestReady,
  sliceIndexes,
  slicesOf,
} from '../core/networks/engineSlices.ts';

/** A cache of the EndpointSlices of networks' Services, not yet started. A slice has the labels of its Service. */
export function createSliceCache(
  options: Pick<ReflectorOptions<EndpointSlice>, 'kube' | 'clock' | 'log' | 'kubeMetrics'>,
): Reflector<EndpointSlice> {
  return createReflector({
    ...options,
    type: endpointSliceType,
    labelSelector: labels.network,
    indexes: sliceIndexes,
    trim: keepSlice,
  });
}

/** Where an engine answers. */
export interface EngineAddress {
  url: string;
  /** uid of its pod. */
  pod?: string;
}

/** A network's engine at JSON-RPC, or another service that is named; undefined while none is ready. */
export type EngineOf = (networkUid: string, service?: string) => EngineAddress | undefined;

/**
 * Looks up engines. The URL has the pod's address: the Service routes to the pod only seconds after it is ready.
 */
export function createEngineLookup(caches: EngineCaches): EngineOf {
  return (networkUid, service = 'rpc') => {
    for (const slice of slicesOf(caches, networkUid)) {
      const port = slice.ports?.find(({ name }) => name === service)?.port;
      const ready = lowestReady(slice);
      if (!port || !ready) continue;
      const { host, pod } = ready;
      return { url: `http://${authorityOf({ host, port })}`, ...compact({ pod }) };
    }
    return undefined;
  };
}

/** The URL of a service of a network; undefined while no pod serves it. */
export function createServiceLookup(
  caches: EngineCaches,
): (networkUid: string, service: string) => string | undefined {
  const engineOf = createEngineLookup(caches);
  return (networkUid, service) => engineOf(networkUid, service)?.url;
}
