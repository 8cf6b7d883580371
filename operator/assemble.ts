import type { Server } from 'node:http';
import { currentKeyOf } from '../core/accounts/keyring.ts';
import { leaderLease } from '../core/api/names.ts';
import { createEngineMetrics } from '../core/engines/metrics.ts';
import type { EngineProblem } from '../core/engines/problems.ts';
import { createKube } from '../core/kube/client/client.ts';
import { createEventRecorder } from '../core/kube/events/recorder.ts';
import type { Kube } from '../core/kube/kube.ts';
import { createLeaderElector } from '../core/kube/leader/lease.ts';
import { createKubeMetrics } from '../core/kube/metrics.ts';
import { systemClock } from '../core/lib/clock.ts';
import { compact } from '../core/lib/compact.ts';
import { createHealthServer } from '../core/lib/http/healthServer.ts';
import { listen } from '../core/lib/http/listen.ts';
import { createProcessMetrics } from '../core/lib/liveHeap.ts';
import { createLog } from '../core/lib/log.ts';
import { budgetedKube } from '../core/storage/budgetedKube.ts';
import { isClosedToOperator } from '../core/storage/kinds.ts';
import { createStorageLedger } from '../core/storage/ledger.ts';
import { createWorkspaceLabel } from '../core/storage/metrics.ts';
import { currentTrace } from '../core/tracing/spans.ts';
import { startTracing, type Tracing } from '../core/tracing/tracing.ts';
import { createOperatorCaches } from './caches.ts';
import { createControllerDeps, createControllers } from './controllers.ts';
import {
  createControllerMetrics,
  createNetworkCollector,
  createSecretCollector,
  inventoryMetricTable,
  operatorMetricTables,
} from './metrics.ts';
import { createOutboxCollector } from './outbox/metrics.ts';
import { fenceWrites } from './runtime/fence.ts';
import type { Settings } from './settings.ts';
import { createStorageCollector } from './storage/collector.ts';
import { createWarmCollector } from './warm/metrics.ts';

/** With more concurrent requests than this, the operator is busy and Events wait for objects and statuses. */
const maxCalmRequests = 4;
/** By when the remaining Events must be written after the signal to stop: the process is killed after 30 s. */
const lastEventsMs = 15_000;

/** The operator: every replica runs the caches, and the one that holds the lease runs the controllers. */
export interface Operator {
  start(): void;
  /** Resolves when everything has stopped. */
  stop(): Promise<void>;
}

/** Builds all parts of the operator. Before `start`, it only serves its health endpoints. */
export async function assembleOperator(settings: Settings): Promise<Operator> {
  const parts = createParts(settings);
  const { leaseKube, caches, metrics, clock, log } = parts;
  const health = await serveOperatorHealth(settings, parts);
  const fenced = fenceWrites(parts.budgeted, () => elector.isLeader());
  const deps = controllerDepsOf(settings, parts, fenced);
  const tracing = await tracingOf(settings, parts);
  const common = { metrics: createControllerMetrics(metrics), tracer: tracing.tracer };
  const { leader } = metrics.instruments(inventoryMetricTable);
  const elector = createLeaderElector({
    kube: leaseKube,
    clock,
    log,
    name: leaderLease,
    namespace: settings.env.POD_NAMESPACE,
    identity: settings.env.POD_NAME,
    async onStarted(signal) {
      await caches.whenSynced();
      log.info('started leading');
      reportProblems(parts, signal);
      leader.set(1);
      const controllers = createControllers(deps, { ...common, workers: settings.env.WORKERS });
      await Promise.all(controllers.map((controller) => controller.run(signal)));
    },
    onStopped() {
      leader.set(0);
      log.info('stopped leading');
    },
  });
  return {
    start() {
      caches.start();
      elector.start();
      log.info('started', { pod: settings.env.POD_NAME });
    },
    async stop() {
      log.info('stopping');
      const lastMs = clock.nowMs() + lastEventsMs;
      await elector.stop();
      await end({ ...parts, health, tracing, lastMs });
    },
  };
}

function controllerDepsOf(settings: Settings, parts: Parts, kube: Kube) {
  const { caches, events, storage, metrics, kubeMetrics, workspaceLabel, clock, log } = parts;
  return createControllerDeps({
    settings,
    caches,
    kube,
    events,
    storage,
    metrics,
    kubeMetrics,
    workspaceLabel,
    clock,
    log,
  });
}

/** Shared dependencies. The lease has its own connections, so that a burst of requests does not delay its renewal. */
function createParts({ env, installation }: Settings) {
  const clock = systemClock;
  const log = createLog('operator', env.LOG_LEVEL, currentTrace);
  const metrics = createProcessMetrics(operatorMetricTables);
  const kubeMetrics = createKubeMetrics(metrics);
  const connection = { ...compact({ kubeconfigPath: env.KUBECONFIG || undefined }), log, clock };
  const kube = createKube({ ...connection, kubeMetrics });
  const isBusy = () => kube.inFlight() > maxCalmRequests;
  const caches = createOperatorCaches(
    { kube, clock, log, kubeMetrics, engineMetrics: createEngineMetrics(metrics) },
    env.POD_NAMESPACE,
  );
  const storage = createStorageLedger({ quota: installation.quota, records: caches.storage });
  return {
    clock,
    log,
    metrics,
    kubeMetrics,
    kube,
    workspaceLabel: createWorkspaceLabel(installation.monitoring.workspaceLabels),
    leaseKube: createKube(connection),
    caches,
    storage,
    budgeted: budgetedKube(kube, { ledger: storage, isRefused: isClosedToOperator }),
    events: createEventRecorder({ kube, component: 'slipway-operator', log, clock, isBusy }),
  };
}

async function serveOperatorHealth({ env, installation }: Settings, parts: Parts): Promise<Server> {
  const { caches, storage, metrics, workspaceLabel } = parts;
  const { networks, secrets } = caches.networks;
  const collectors = [
    createNetworkCollector(metrics, networks.list),
    createSecretCollector(metrics, secrets.list),
    createWarmCollector(metrics, caches.networks.pods.list),
    createOutboxCollector(metrics, caches.outboxes.list, systemClock.nowMs),
    ...caches.features.flatMap(
      ({ collectors }) => collectors?.({ ...caches.accounts, metrics, workspaceLabel }) ?? [],
    ),
    createStorageCollector({ ...installation, metrics, label: workspaceLabel, storage }),
  ];
  const server = createHealthServer({
    metrics,
    whyNotReady: () => (caches.hasSynced() ? undefined : 'caches are not synced yet'),
    beforeScrape() {
      for (const collect of collectors) collect();
    },
  });
  await listen(server, env.METRICS_PORT);
  return server;
}

type Parts = ReturnType<typeof createParts>;

/** Only the leader writes Events: about problems that exist when its term begins, and about those found during it. */
function reportProblems({ caches: { engines }, events }: Parts, signal: AbortSignal): void {
  const report = ({ object, message }: EngineProblem) =>
    events.record(object, { type: 'Warning', reason: 'InvalidEngines', message });
  engines.problems().forEach(report);
  signal.addEventListener('abort', engines.onProblem(report), { once: true });
}

function tracingOf(
  { env, installation, keys, tracingHeaders }: Settings,
  { metrics, clock, log }: Parts,
): Promise<Tracing> {
  return startTracing({
    metrics,
    clock,
    log,
    settings: installation.tracing,
    headers: tracingHeaders,
    service: 'slipway-operator',
    pod: { name: env.POD_NAME, namespace: env.POD_NAMESPACE },
    accessKey: currentKeyOf(keys.access),
  });
}

interface Ending extends Parts {
  health: Server;
  tracing: Tracing;
  /** Until when Events are written. */
  lastMs: number;
}

async function end({ kube, leaseKube, events, caches, ...rest }: Ending): Promise<void> {
  const { clock, health, tracing, lastMs } = rest;
  await events.close(Math.max(0, lastMs - clock.nowMs()));
  await caches.stop();
  health.close();
  await Promise.all([kube.close(), leaseKube.close(), tracing.close()]);
}
