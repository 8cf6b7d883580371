import { networkType, recordingType, secretType, tokenType } from '../../core/api/resources/resources.ts';
import { createReflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import { endpointSliceType } from '../../core/kube/types.ts';
import { upstreamSelector } from '../gateway/proxy/upstreams.ts';
import { createOutboxCache } from '../transactions/outboxCache.ts';
import { createCacheReflector } from './cache.ts';

type CachesOptions = Pick<ReflectorOptions<never>, 'kube' | 'log' | 'clock' | 'metrics'>;
export type Caches = ReturnType<typeof createCaches>;

/** The reflectors of all kinds that this process watches, not yet started. */
export function createCaches(options: CachesOptions) {
  return {
    networks: createCacheReflector({ ...options, type: networkType }),
    secrets: createCacheReflector({ ...options, type: secretType }),
    recordings: createCacheReflector({ ...options, type: recordingType }),
    tokens: createCacheReflector({ ...options, type: tokenType }),
    outboxes: createOutboxCache(options),
    slices: createReflector({ ...options, type: endpointSliceType, labelSelector: upstreamSelector }),
  };
}
