import type { JournalResource } from '../core/api/resources/journal.ts';
import type { OutboxResource } from '../core/api/resources/outbox.ts';
import type { RecordingResource } from '../core/api/resources/recordingResource.ts';
import type { KeyEpochsResource } from '../core/api/resources/records/keyEpochs.ts';
import type { UsageRecordResource } from '../core/api/resources/records/usageRecord.ts';
import type { ReplayResource } from '../core/api/resources/replayResource.ts';
import { keyEpochsType } from '../core/api/resources/resources.ts';
import type { TokenResource } from '../core/api/resources/tokenResource.ts';
import { createEngineWatch, type EngineWatch } from '../core/engines/engineWatch.ts';
import type { EngineMetrics } from '../core/engines/metrics.ts';
import type { EventLog } from '../core/events/log/eventLog.ts';
import { createReflector, type Reflector } from '../core/kube/cache/reflector.ts';
import type { Kube } from '../core/kube/kube.ts';
import type { KubeMetrics } from '../core/kube/metrics.ts';
import type { EndpointSlice } from '../core/kube/types.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Log } from '../core/lib/log.ts';
import { createReplayCache } from '../core/replays/cache.ts';
import { createStorageRecords } from '../core/storage/records.ts';
import { createSliceCache } from './engines.ts';
import { createOperatorEventLog } from './eventLog.ts';
import type { OpenFeature } from './feature.ts';
import { openFeatures } from './features.ts';
import { createNetworkCaches } from './network/caches.ts';
import type { NetworkCaches } from './network/deps.ts';
import { createOutboxCache } from './outbox/controller.ts';
import { createRecordingCache } from './recording/caches.ts';
import { createJournalCache } from './relay/caches.ts';
import { createTokenCache } from './token/caches.ts';
import { type AccountCaches, createAccountCaches } from './workspace/caches.ts';

/** All caches of the operator. */
export interface OperatorCaches {
  networks: NetworkCaches;
  accounts: AccountCaches;
  slices: Reflector<EndpointSlice>;
  recordings: Reflector<RecordingResource>;
  outboxes: Reflector<OutboxResource>;
  replays: Reflector<ReplayResource>;
  tokens: Reflector<TokenResource>;
  journals: Reflector<JournalResource>;
  features: readonly OpenFeature[];
  eventLog: EventLog;
  /** It is synced once the chart's object is there. */
  engines: EngineWatch;
  keyEpochs: Reflector<KeyEpochsResource>;
  /** What workspaces store. */
  storage: Reflector<UsageRecordResource>;
  start(): void;
  hasSynced(): boolean;
  whenSynced(): Promise<void>;
  stop(): Promise<void>;
}

interface CacheDeps {
  kube: Kube;
  clock: Clock;
  log: Log;
  kubeMetrics: KubeMetrics;
  engineMetrics: EngineMetrics;
}

export function createOperatorCaches(deps: CacheDeps, serviceNamespace: string): OperatorCaches {
  const eventLog = createOperatorEventLog(deps);
  const { taps } = eventLog;
  const networks = createNetworkCaches({ ...deps, taps });
  const accounts = createAccountCaches(deps, serviceNamespace);
  const others = {
    slices: createSliceCache(deps),
    recordings: createRecordingCache({ ...deps, tap: taps.recordings }),
    outboxes: createOutboxCache(deps),
    replays: createReplayCache(deps),
    tokens: createTokenCache({ ...deps, tap: taps.tokens }),
    journals: createJournalCache(deps),
    keyEpochs: createReflector({ ...deps, type: keyEpochsType }),
    storage: createStorageRecords(deps),
    engines: createEngineWatch({
      kube: deps.kube,
      namespace: serviceNamespace,
      clock: deps.clock,
      log: deps.log,
      kubeMetrics: deps.kubeMetrics,
      metrics: deps.engineMetrics,
    }),
  };
  const features = openFeatures(deps);
  const own = [networks, accounts, others].flatMap((group) => Object.values(group));
  const all = [...own, ...features.flatMap(({ caches }) => caches)];
  return {
    networks,
    accounts,
    ...others,
    features,
    eventLog,
    start() {
      for (const cache of all) cache.start();
    },
    hasSynced: () => all.every((cache) => cache.hasSynced()),
    whenSynced: async () => void (await Promise.all(all.map((cache) => cache.whenSynced()))),
    stop: async () => void (await Promise.all(all.map((cache) => cache.stop()))),
  };
}
