import type { Sealer } from '../core/accounts/seal.ts';
import type { Installation } from '../core/api/installation.ts';
import { networkType, recordingType, secretType } from '../core/api/resources/resources.ts';
import { unavailableParts } from '../core/chains/registry.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Log } from '../core/lib/log.ts';
import type { Cursors } from './http/paging/cursor.ts';
import type { Handlers } from './http/pipeline/handler.ts';
import type { Touch } from './networks/activity.ts';
import { createNetworkHandlers } from './networks/handlers.ts';
import { createRecordingHandlers } from './recordings/handlers.ts';
import { createSecretHandlers } from './secrets/handlers.ts';
import { createCache } from './store/cache.ts';
import type { Caches } from './store/caches.ts';
import { createCatchUp } from './store/catchUp.ts';
import { createFind } from './store/find.ts';
import type { Store } from './store/kubeErrors.ts';
import { getTransactionHealth } from './transactions/health.ts';

export interface HandlersDeps {
  kube: Store;
  caches: Caches;
  touch: Touch;
  sealer: Sealer;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  quota: Pick<Installation['quota'], 'persistentNetworks'>;
  engines: Installation['engines'];
}

/** The handlers of what needs nothing but custom resources. */
export function createHandlers(deps: HandlersDeps) {
  const { kube, caches, touch, sealer, cursors, clock, log, quota, engines } = deps;
  const common = { kube, clock, log };
  const networks = createCache(caches.networks);
  const secrets = createCache(caches.secrets);
  const recordings = createCache(caches.recordings);
  return {
    ...createNetworkHandlers({
      kube,
      cache: networks,
      find: createFind({ kube, cache: networks, type: networkType }),
      catchUp: createCatchUp({ ...common, cache: networks, reflector: caches.networks, type: networkType }),
      touch,
      cursors,
      clock,
      unavailableParts: (spec) => unavailableParts(spec, engines),
      maxPersistentNetworks: quota.persistentNetworks,
    }),
    ...createSecretHandlers({
      kube,
      cache: secrets,
      networks,
      find: createFind({ kube, cache: secrets, type: secretType }),
      catchUp: createCatchUp({ ...common, cache: secrets, reflector: caches.secrets, type: secretType }),
      sealer,
      cursors,
    }),
    ...createRecordingHandlers({
      kube,
      cache: recordings,
      find: createFind({ kube, cache: recordings, type: recordingType }),
      catchUp: createCatchUp({
        ...common,
        ...{ cache: recordings, reflector: caches.recordings, type: recordingType },
      }),
      reflector: caches.recordings,
      networks,
      findNetwork: createFind({ kube, cache: networks, type: networkType }),
    }),
    getTransactionHealth: getTransactionHealth({
      caches: [caches.networks, caches.secrets, caches.recordings, caches.tokens],
      ping: () => kube.list(networkType, { isMetadataOnly: true, limit: 1 }),
      clock,
    }),
  } satisfies Handlers;
}
