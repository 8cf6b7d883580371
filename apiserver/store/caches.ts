import { labels } from '../../core/api/names.ts';
import {
  networkType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../../core/api/resources/resources.ts';
import type { EventLog } from '../../core/events/log/eventLog.ts';
import { createReflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import { endpointSliceType, serviceType } from '../../core/kube/types.ts';
import { keepService, keepSlice, serviceIndexes, sliceIndexes } from '../../core/networks/engineSlices.ts';
import { createOutboxCache } from '../transactions/outboxCache.ts';
import { createCacheReflector } from './cache.ts';

type CachesOptions = Pick<ReflectorOptions<never>, 'kube' | 'log' | 'clock' | 'kubeMetrics'> & {
  /** What sees every change that the caches see. */
  taps?: EventLog['taps'];
};
export type Caches = ReturnType<typeof createCaches>;

/** The reflectors of all kinds that this process watches, not yet started. */
export function createCaches(options: CachesOptions) {
  // A slice has the labels of its Service.
  const { taps } = options;
  const engines = { ...options, labelSelector: labels.network };
  return {
    networks: createCacheReflector({ ...options, tap: taps?.networks, type: networkType }),
    secrets: createCacheReflector({ ...options, tap: taps?.secrets, type: secretType }),
    snapshots: createCacheReflector({ ...options, tap: taps?.snapshots, type: snapshotType }),
    recordings: createCacheReflector({ ...options, tap: taps?.recordings, type: recordingType }),
    tokens: createCacheReflector({ ...options, tap: taps?.tokens, type: tokenType }),
    outboxes: createOutboxCache({ ...options, tap: taps?.outboxes }),
    services: createReflector({ ...engines, type: serviceType, indexes: serviceIndexes, trim: keepService }),
    slices: createReflector({ ...engines, type: endpointSliceType, indexes: sliceIndexes, trim: keepSlice }),
  };
}
