import { labels } from '../core/api/names.ts';
import type { Reflector, ReflectorOptions } from '../core/kube/cache/reflector.ts';
import { createReflector } from '../core/kube/cache/reflector.ts';
import { type EndpointSlice, endpointSliceType } from '../core/kube/types.ts';
import { authorityOf } from '../core/lib/authority.ts';
import {
  type EngineCaches,
  keepSlice,
  lowestReadyAddress,
  sliceIndexes,
  slicesOf,
} from '../core/networks/engineSlices.ts';

/** A cache of the EndpointSlices of networks' Services, not yet started. A slice has the labels of its Service. */
export function createSliceCache(
  options: Pick<ReflectorOptions<EndpointSlice>, 'kube' | 'clock' | 'log' | 'metrics'>,
): Reflector<EndpointSlice> {
  return createReflector({
    ...options,
    type: endpointSliceType,
    labelSelector: labels.network,
    indexes: sliceIndexes,
    trim: keepSlice,
  });
}

/** The JSON-RPC URL of a network's engine, or of another service that is named; undefined while none is ready. */
export type EngineUrlOf = (networkUid: string, service?: string) => string | undefined;

/** Looks up the JSON-RPC URL of engines. */
export function createEngineLookup(caches: EngineCaches): EngineUrlOf {
  const urlOf = createServiceLookup(caches);
  return (networkUid, service = 'rpc') => urlOf(networkUid, service);
}

/**
 * The URL of a service of a network; undefined while no pod serves it. It has the pod's address: the Service routes to the
 * pod only seconds after it is ready.
 */
export function createServiceLookup(
  caches: EngineCaches,
): (networkUid: string, service: string) => string | undefined {
  return (networkUid, service) => {
    for (const slice of slicesOf(caches, networkUid)) {
      const port = slice.ports?.find(({ name }) => name === service)?.port;
      const host = lowestReadyAddress(slice);
      if (port && host) return `http://${authorityOf({ host, port })}`;
    }
    return undefined;
  };
}
