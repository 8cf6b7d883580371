import { currentKeyOf } from '../core/accounts/keyring.ts';
import { createSealer } from '../core/accounts/seal.ts';
import { createKube, type KubeClient } from '../core/kube/client/client.ts';
import { createKubeMetrics } from '../core/kube/metrics.ts';
import { type Clock, systemClock } from '../core/lib/clock.ts';
import { compact } from '../core/lib/compact.ts';
import { createHealthServer } from '../core/lib/http/healthServer.ts';
import { createProcessMetrics } from '../core/lib/liveHeap.ts';
import type { Log } from '../core/lib/log.ts';
import { createTouch, type Touch } from '../core/networks/activity.ts';
import { createTraffic, type Traffic } from '../core/networks/traffic.ts';
import { createWake } from '../core/networks/wake.ts';
import { createStoredAnswers } from '../core/storage/answers.ts';
import { budgetedKube } from '../core/storage/budgetedKube.ts';
import { isClosedToUsers } from '../core/storage/kinds.ts';
import { createStorageLedger } from '../core/storage/ledger.ts';
import { createStorageRecords } from '../core/storage/records.ts';
import { startTracing } from '../core/tracing/tracing.ts';
import { createEventSource } from './events/events.ts';
import type { RpcGatewayDeps } from './gateway/deps.ts';
import { createRpcGateway, type RpcGateway } from './gateway/gateway.ts';
import { createServicesOf } from './gateway/policy/families.ts';
import { createUpstreamLookup } from './gateway/proxy/upstreams.ts';
import { createNetworkLookup } from './gateway/wake/networks.ts';
import { createBudgetMetrics } from './http/limits/budgetMetrics.ts';
import { createCallerLimits } from './http/limits/callerLimits.ts';
import { createCursors } from './http/paging/cursor.ts';
import { type LifecycleParts, type PhaseHolder, whyNotReady } from './lifecycle.ts';
import { apiserverMetricTables } from './metrics.ts';
import { warnOfPlainHttp } from './plainHttp.ts';
import { createReplicaAddresses } from './replicas/addresses.ts';
import { type AnswerReplica, createAnswerReplicas } from './replicas/answerReplicas.ts';
import { createAskReplicas } from './replicas/askReplicas.ts';
import { createRest, type RestDeps } from './rest.ts';
import { createMainServer } from './server.ts';
import type { Settings } from './settings.ts';
import { byUid } from './store/cache.ts';
import { type Caches, createCaches } from './store/caches.ts';
import { untilCounted } from './store/untilCounted.ts';

type CacheCommon = Omit<Parameters<typeof createStorageRecords>[0], 'kube'>;

type GatewayParts = Omit<
  RpcGatewayDeps,
  'accessKeys' | 'activity' | 'countCalls' | 'settings' | 'servicesOf' | 'serviceDomain'
> & { caches: Caches; touch: Touch; traffic: Traffic };

/** Builds the process from its settings; nothing is started yet. */
export async function assemble(settings: Settings, log: Log): Promise<LifecycleParts> {
  const { env, installation } = settings;
  const clock = systemClock;
  warnOfPlainHttp(installation.publicUrl, log);
  const { closeTracing, ...observed } = await observe(settings, { clock, log });
  const { counts, ...cluster } = openCluster(settings, { ...observed, clock, log });
  const { kube, caches, events } = cluster;
  const networks = createNetworkLookup(caches.networks, settings.keys.access);
  const wake = createWake({ kube, networks, log });
  const touch = createTouch({ kube, wake, clock, log });
  const traffic = createTraffic();
  const limits = createCallerLimits(installation.limits, clock, createBudgetMetrics(observed.metrics));
  const sealer = createSealer(settings.masterKeys);
  const upstreams = createUpstreamLookup(caches);
  const shared = { ...observed, ...cluster, clock, log, sealer, touch, traffic, upstreams };
  const replicas = createReplicas(settings, shared);
  const rest = createRest(settings, { ...shared, limits, askReplicas: replicas.ask });
  const { ownServices, observeCalls, namedKeys } = rest.features;
  const parts = { ...shared, ...limits, networks, wake, ownServices, observeCalls, namedKeys };
  const gateway = createGateway(settings, parts);
  const phase: PhaseHolder = { current: 'starting' };
  const { metrics } = observed;
  const servers = createServers(settings, { rest, gateway, replicas, metrics, phase });
  return {
    phase,
    caches: [...Object.values(caches), ...counts, ...rest.steps],
    ...servers,
    closeUpgraded() {
      for (const streams of rest.streams) streams.close();
      return gateway.close();
    },
    async release() {
      await Promise.all([
        events.close(),
        kube.close(),
        rest.features.close(),
        replicas.close(),
        closeTracing(),
      ]);
    },
    drainMs: env.DRAIN_MS,
    clock,
    log,
  };
}

interface Served {
  rest: ReturnType<typeof createRest>;
  gateway: RpcGateway;
  replicas: ReturnType<typeof createReplicas>;
  metrics: RestDeps['metrics'];
  phase: PhaseHolder;
}

/** What listens, and where. */
function createServers(
  { env, installation }: Settings,
  { rest, gateway, replicas, metrics, phase }: Served,
): Pick<LifecycleParts, 'health' | 'servers'> {
  const isDraining = () => phase.current === 'draining';
  const server = createMainServer({ ...installation, app: rest.app, gateway, isDraining });
  const health = createHealthServer({
    metrics,
    whyNotReady: () => whyNotReady(phase),
    others: replicas.answerWith(rest.features.answersReplicas),
  });
  return { health: { server: health, port: env.METRICS_PORT }, servers: [{ server, port: env.PORT }] };
}

/** How replicas ask each other, at the port of health and metrics. */
function createReplicas(
  { env, keys }: Settings,
  { kube, clock, log }: Pick<RestDeps, 'kube' | 'clock' | 'log'>,
) {
  const cursors = createCursors(keys.cursors);
  const { POD_NAMESPACE: namespace, POD_NAME: pod, PORT, METRICS_PORT: port } = env;
  const addresses = createReplicaAddresses({ kube, namespace, pod, port: PORT, clock });
  return {
    ...createAskReplicas({ addresses, port, cursors, clock, log }),
    answerWith: (topics: ReadonlyMap<string, AnswerReplica>) =>
      createAnswerReplicas({ topics, cursors, clock, log }),
  };
}

/** The cluster, and what the process sees of it. */
function openCluster(
  settings: Settings,
  { clock, log, metrics, kubeMetrics }: Pick<RestDeps, 'clock' | 'log' | 'metrics' | 'kubeMetrics'>,
) {
  const common = { clock, log, kubeMetrics };
  const client = createKube({
    ...common,
    userAgent: 'slipway-apiserver',
    ...compact({ kubeconfigPath: settings.env.KUBECONFIG }),
  });
  const budgeted = withBudgets(client, settings, common);
  const { kube } = budgeted;
  const events = createEventSource({ kube, clock, log, metrics });
  return { ...budgeted, events, caches: createCaches({ ...common, kube, taps: events.eventLog.taps }) };
}

function createGateway({ installation, keys }: Settings, { caches, touch, traffic, ...parts }: GatewayParts) {
  return createRpcGateway({
    ...parts,
    accessKeys: keys.access,
    activity: (uid) => caches.networks.byIndex(byUid, uid).forEach(touch),
    countCalls: traffic.rpcCalls,
    settings: installation.rpc,
    servicesOf: createServicesOf(installation.solana),
    serviceDomain: installation.serviceDomain,
  });
}

/** The cluster, in which workspaces store no more than they may. */
function withBudgets(client: KubeClient, { env, installation }: Settings, common: CacheCommon) {
  const { quota, defaultWorkspace } = installation;
  const options = { kube: client, ...common };
  const records = createStorageRecords(options);
  const answers = createStoredAnswers({ ...options, namespace: env.POD_NAMESPACE, defaultWorkspace });
  const storage = createStorageLedger({ quota, records, answers });
  const kube = budgetedKube(untilCounted(client, common.clock), {
    ledger: storage,
    isRefused: isClosedToUsers,
  });
  return { kube, storage, counts: [records, answers] };
}

/** What the process says of its work. */
async function observe(
  { env, installation, keys, tracingHeaders }: Settings,
  deps: { clock: Clock; log: Log },
) {
  const metrics = createProcessMetrics(apiserverMetricTables);
  const { tracer, close } = await startTracing({
    ...deps,
    metrics,
    settings: installation.tracing,
    headers: tracingHeaders,
    service: 'slipway-apiserver',
    pod: { name: env.POD_NAME, namespace: env.POD_NAMESPACE },
    accessKey: currentKeyOf(keys.access),
  });
  return { metrics, kubeMetrics: createKubeMetrics(metrics), tracer, closeTracing: close };
}
