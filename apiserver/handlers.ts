import type { Sealer } from '../core/accounts/seal.ts';
import type { Installation } from '../core/api/installation.ts';
import { networkType } from '../core/api/resources/resources.ts';
import type { LifetimeLimits } from '../core/api/rules/lifetimes.ts';
import type { SnapshotQuota } from '../core/api/rules/snapshotBudget.ts';
import { chainTypeOffers } from '../core/chains/offers.ts';
import { unavailableParts } from '../core/chains/registry.ts';
import type { EngineWatch } from '../core/engines/engineWatch.ts';
import type { OpenPodLog } from '../core/kube/kube.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Touch } from '../core/networks/activity.ts';
import type { createFeatures } from './features.ts';
import type { Cursors } from './http/paging/cursor.ts';
import type { Handlers } from './http/pipeline/handler.ts';
import type { EndpointsOf } from './networks/endpoints.ts';
import { createNetworkHandlers } from './networks/handlers.ts';
import type { LogStreams } from './networks/logs/logStreams.ts';
import { createRecordingHandlers } from './recordings/handlers.ts';
import { createReadHeads } from './recordings/heads.ts';
import { createRefuseForkSource } from './secrets/forkSource.ts';
import { createSecretHandlers } from './secrets/handlers.ts';
import { createSnapshotHandlers } from './snapshots/handlers.ts';
import { createRefuseFrom } from './snapshots/refuseFrom.ts';
import type { Caches } from './store/caches.ts';
import type { Store } from './store/kubeErrors.ts';
import type { StoredKinds } from './store/storedKinds.ts';
import { getTransactionHealth } from './transactions/health.ts';
import type { Nodes } from './transactions/nodes.ts';

export interface HandlersDeps {
  kube: Store;
  caches: Caches;
  kinds: StoredKinds;
  touch: Touch;
  sealer: Sealer;
  cursors: Cursors;
  clock: Clock;
  quota: Pick<Installation['quota'], 'persistentNetworks' | 'participants' | 'validators'> & SnapshotQuota;
  engines: Pick<EngineWatch, 'current'>;
  lifetimes: LifetimeLimits;
  openPodLog: OpenPodLog;
  logStreams: LogStreams;
  forks: Installation['forks'];
  features: Pick<ReturnType<typeof createFeatures>, 'caches' | 'keepSecrets'>;
  endpointsOf: EndpointsOf;
  presentNode: Nodes['presentNode'];
}

/** The handlers of operations that only need custom resources. */
export function createHandlers(deps: HandlersDeps) {
  const { kube, caches, kinds, touch, sealer, cursors, clock, quota, endpointsOf, features } = deps;
  const { networks, secrets, snapshots, recordings } = kinds;
  return {
    ...networkHandlers(deps),
    ...createSecretHandlers({ kube, ...secrets, sealer, cursors, keepSecrets: features.keepSecrets }),
    ...createSnapshotHandlers({
      kube,
      ...snapshots,
      cursors,
      quota,
      networks: { ...networks, touch, endpointsOf, clock },
    }),
    ...createRecordingHandlers({
      kube,
      ...recordings,
      networks: networks.cache,
      findNetwork: networks.find,
      readHeads: createReadHeads(deps.presentNode),
    }),
    getTransactionHealth: getTransactionHealth({
      caches: [
        caches.networks,
        caches.secrets,
        caches.snapshots,
        caches.recordings,
        caches.tokens,
        ...features.caches,
      ],
      ping: () => kube.list(networkType, { isMetadataOnly: true, limit: 1 }),
      clock,
    }),
  } satisfies Handlers;
}

function networkHandlers(deps: HandlersDeps) {
  const { kube, kinds, touch, sealer, cursors, clock, quota, engines, forks, endpointsOf } = deps;
  const { lifetimes, openPodLog, logStreams } = deps;
  const { networks, secrets, snapshots } = kinds;
  return createNetworkHandlers({
    kube,
    ...networks,
    touch,
    cursors,
    clock,
    endpointsOf,
    unavailableParts: (spec) => unavailableParts(spec, engines.current()),
    chainTypes: () => chainTypeOffers({ engines: engines.current(), forks }),
    forks,
    refuseForkSource: createRefuseForkSource({ ...secrets, sealer, ownSources: forks.ownSources }),
    hasSecret: (namespace, name) => secrets.cache.byName(namespace, name) !== undefined,
    refuseFrom: createRefuseFrom(snapshots),
    maxPersistentNetworks: quota.persistentNetworks,
    size: quota,
    lifetimes,
    openPodLog,
    logStreams,
  });
}
