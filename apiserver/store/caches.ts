import { labels } from '../../core/api/names.ts';
import {
  networkType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
  webhookType,
} from '../../core/api/resources/resources.ts';
import { createReflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import { endpointSliceType, serviceType } from '../../core/kube/types.ts';
import { serviceIndexes, sliceIndexes } from '../../core/networks/engineSlices.ts';
import { createOutboxCache } from '../transactions/outboxCache.ts';
import { createCacheReflector } from './cache.ts';

type CachesOptions = Pick<ReflectorOptions<never>, 'kube' | 'log' | 'clock' | 'metrics'>;
export type Caches = ReturnType<typeof createCaches>;

/** The reflectors of all kinds that this process watches, not yet started. */
export function createCaches(options: CachesOptions) {
  // A slice has the labels of its Service.
  const engines = { ...options, labelSelector: labels.network };
  return {
    networks: createCacheReflector({ ...options, type: networkType }),
    secrets: createCacheReflector({ ...options, type: secretType }),
    snapshots: createCacheReflector({ ...options, type: snapshotType }),
    recordings: createCacheReflector({ ...options, type: recordingType }),
    tokens: createCacheReflector({ ...options, type: tokenType }),
    webhooks: createCacheReflector({ ...options, type: webhookType }),
    outboxes: createOutboxCache(options),
    services: createReflector({ ...engines, type: serviceType, indexes: serviceIndexes }),
    slices: createReflector({ ...engines, type: endpointSliceType, indexes: sliceIndexes }),
  };
}
