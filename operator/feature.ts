import type { Sealer } from '../core/accounts/seal.ts';
import type { ShareOf } from '../core/accounts/shares/shares.ts';
import type { Installation } from '../core/api/installation.ts';
import type { NamespacedObject } from '../core/api/resources/kubeObject.ts';
import type { EventLog } from '../core/events/log/eventLog.ts';
import type { Reflector, ReflectorOptions } from '../core/kube/cache/reflector.ts';
import type { EventRecorder } from '../core/kube/events/recorder.ts';
import type { Kube } from '../core/kube/kube.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Log } from '../core/lib/log.ts';
import type { Metrics, MetricTable } from '../core/lib/metrics.ts';
import type { Traffic } from '../core/networks/traffic.ts';
import type { WorkspaceLabel } from '../core/storage/metrics.ts';
import type { NetworkCaches } from './network/deps.ts';
import type { Controller } from './runtime/controller.ts';
import type { ControllerSettings } from './runtime/defineController.ts';
import type { Settings } from './settings.ts';
import type { AccountCaches } from './workspace/caches.ts';

/** What the operator gives to features. */
interface Surroundings {
  installation: Installation;
  keys: Settings['keys'];
  /** Rejects writes unless this replica leads. */
  kube: Kube;
  networks: Pick<NetworkCaches, 'networks' | 'secrets'>;
  /** What happens in the cluster, of the kinds whose changes are events. */
  eventLog: EventLog;
  events: EventRecorder;
  sealer: Sealer;
  shareOf: ShareOf;
  /** What the operator causes in workspaces. */
  traffic: Pick<Traffic, 'countWith'>;
  metrics: Metrics;
  /** The labels of workspaces in metrics. */
  workspaceLabel: WorkspaceLabel;
  clock: Clock;
  log: Log;
}

type Cache = Pick<
  Reflector<NamespacedObject>,
  'type' | 'get' | 'list' | 'byIndex' | 'onChange' | 'observe' | 'start' | 'hasSynced' | 'whenSynced' | 'stop'
>;

/** A feature whose caches every replica has; its controllers run for one term of leadership. */
export interface OpenFeature {
  /** Those of kinds with ids have the index of ids. */
  caches: readonly Cache[];
  /** What is called before each scrape. */
  collectors?(
    sources: Pick<Surroundings, 'metrics' | 'workspaceLabel'> & Pick<AccountCaches, 'resourceQuotas'>,
  ): readonly (() => void)[];
  connect(surroundings: Surroundings): (settings: ControllerSettings) => readonly Controller[];
}

/** What a feature adds to the operator. It is exported as `feature` by the operator/feature.ts of its folder. */
export interface OperatorFeature {
  metrics?: readonly MetricTable[];
  open(options: Pick<ReflectorOptions<never>, 'kube' | 'clock' | 'log' | 'kubeMetrics'>): OpenFeature;
}
