import type { Sealer } from '../core/accounts/seal.ts';
import { createEngineWatch, type EngineWatch } from '../core/engines/engineWatch.ts';
import { createEngineMetrics } from '../core/engines/metrics.ts';
import { eventKeyOf } from '../core/events/eventKey.ts';
import type { KubeClient } from '../core/kube/client/client.ts';
import type { KubeMetrics } from '../core/kube/metrics.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Log } from '../core/lib/log.ts';
import type { Metrics } from '../core/lib/metrics.ts';
import type { Touch } from '../core/networks/activity.ts';
import type { Traffic } from '../core/networks/traffic.ts';
import { createReplayCache } from '../core/replays/cache.ts';
import type { StorageLedger } from '../core/storage/ledger.ts';
import type { Tracer } from '../core/tracing/tracing.ts';
import { createApp } from './app.ts';
import { createServeConsole } from './console/console.ts';
import { mountDocuments } from './docs/documents.ts';
import { createEvents, type EventSource, type EventsOptions } from './events/events.ts';
import { createFeatures, type FeaturesDeps } from './features.ts';
import type { UpstreamLookup } from './gateway/deps.ts';
import { createHandlers, type HandlersDeps } from './handlers.ts';
import { createAuthenticate } from './http/auth/auth.ts';
import { createIdempotency } from './http/idempotency/idempotency.ts';
import type { CallerLimits } from './http/limits/callerLimits.ts';
import { type Cursors, createCursors } from './http/paging/cursor.ts';
import { createFundedAccountHandlers } from './networks/accounts/handlers.ts';
import { createEndpointsOf } from './networks/endpoints.ts';
import { createLogStreams } from './networks/logs/logStreams.ts';
import { createReplayHandlers } from './recordings/replay/replay.ts';
import type { AskReplicas } from './replicas/askReplicas.ts';
import { readSignInSecret, type Settings } from './settings.ts';
import { createCacheReflector } from './store/cache.ts';
import type { Caches } from './store/caches.ts';
import { createReadsAfterWrites, followCaches, type ReadsAfterWrites } from './store/readsAfterWrites.ts';
import { createStoredKinds, type StoredKinds } from './store/storedKinds.ts';
import { createWritten } from './store/written.ts';
import { createHourly, createSweep, sweptInvitations, sweptRecords, sweptReplays } from './sweeps.ts';
import { createTokenHandlers } from './tokens/handlers.ts';
import { createTransactions, type Transactions } from './transactions/transactions.ts';
import { type Accounts, createAccounts } from './workspaces/accounts.ts';

/** Dependencies that REST shares with the rest of the process. */
export interface RestDeps {
  kube: KubeClient;
  caches: Caches;
  /** What workspaces store, and may store. */
  storage: StorageLedger;
  sealer: Sealer;
  touch: Touch;
  upstreams: UpstreamLookup;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  kubeMetrics: KubeMetrics;
  limits: CallerLimits;
  events: EventSource;
  traffic: Traffic;
  tracer: Tracer;
  askReplicas: AskReplicas;
}

function accountOptions(settings: Settings, deps: RestDeps & { reads: ReadsAfterWrites }, cursors: Cursors) {
  const { installation, pepper, env } = settings;
  const { kube, clock, log, limits } = deps;
  const { publicUrl, quota, defaultWorkspace } = installation;
  return {
    reads: deps.reads,
    kube,
    namespace: env.POD_NAMESPACE,
    defaultWorkspace,
    pepper,
    cursors,
    clock,
    log,
    publicUrl,
    quota,
    bootstrapKey: { ...settings.bootstrap, ...installation.bootstrapKey },
    budgets: limits.budgets,
    shares: limits.shares,
    kubeMetrics: deps.kubeMetrics,
  };
}

/** The REST API, and the steps that must have started before it serves. */
export function createRest(settings: Settings, given: RestDeps) {
  const { installation, keys, pepper } = settings;
  const { POD_NAMESPACE: namespace } = settings.env;
  const deps = withReads(given, namespace);
  const { clock, limits } = deps;
  const kinds = createStoredKinds(deps);
  const cursors = createCursors(keys.cursors);
  const accounts = createAccounts(accountOptions(settings, deps, cursors));
  const endpointsOf = createEndpointsOf({ ...installation, accessKeys: keys.access });
  const transactions = transactionsOf(settings, deps, { kinds, cursors, users: accounts.users });
  const engines = createEngines(settings, deps);
  const features = featuresOf(settings, deps, { kinds, cursors, transactions, accounts });
  const logStreams = createLogStreams({ ...limits, access: features.access, clock });
  const events = eventsOf(settings, deps, { kinds, endpointsOf, access: features.access, accounts });
  const workspaces = accounts.serve(features);
  const other = features.signIn?.authenticator;
  const replays = createReplayCache(deps);
  const parts = { kinds, cursors, engines, endpointsOf, logStreams, transactions, features, replays };
  const app = createApp({
    handlers: {
      ...createResourceHandlers(settings, deps, parts),
      ...workspaces.handlers,
      ...features.handlers,
      ...events.handlers,
    },
    authenticate: createAuthenticate({ ...accounts.deps, ...limits, ...deps.reads, other }),
    once: createIdempotency({ ...deps, namespace, pepper, findNetwork: kinds.networks.cache.byId }),
    serveConsole: createServeConsole(settings.console),
    recordAudit: features.note,
    mountDocuments,
    ...deps,
  });
  const steps = [
    ...features.steps,
    engines,
    ...accounts.caches,
    accounts.bootstrap,
    transactions.step,
    replays,
    ...createSweeps(deps, namespace, accounts),
    ...workspaces.deliveries,
  ];
  return { app, steps, features, streams: [logStreams, events, { close: features.endStreams }] };
}

type ResourceParts = Pick<
  HandlersDeps,
  'kinds' | 'cursors' | 'engines' | 'endpointsOf' | 'logStreams' | 'features'
> & {
  transactions: Transactions;
  replays: ReturnType<typeof createReplayCache>;
};

function eventsOf(
  { installation, keys }: Settings,
  deps: RestDeps,
  {
    kinds,
    accounts,
    ...parts
  }: Pick<EventsOptions, 'access' | 'endpointsOf'> & { kinds: StoredKinds; accounts: Accounts },
) {
  return createEvents({
    ...deps,
    ...parts,
    eventStreams: installation.limits.eventStreams,
    networks: kinds.networks.cache,
    workspaceUid: accounts.uidOf,
    keyring: keys.cursors,
    eventKey: eventKeyOf(keys.access),
  });
}

/** What callers do with the resources of their workspaces. */
function createResourceHandlers(
  { installation }: Settings,
  deps: RestDeps & { reads: ReadsAfterWrites },
  parts: ResourceParts,
) {
  const { quota, forks } = installation;
  return {
    ...createHandlers({
      ...deps,
      ...parts,
      quota,
      forks,
      lifetimes: installation,
      openPodLog: deps.kube.openPodLog,
      presentNode: parts.transactions.presentNode,
    }),
    ...parts.transactions.handlers,
    ...createFundedAccountHandlers({ ...deps, ...parts, findAccount: parts.transactions.findAccount }),
    ...createReplayHandlers({ ...deps, ...parts }),
    ...createTokenHandlers({ ...deps, ...parts }),
  };
}

function featuresOf(
  { installation, env, keys }: Settings,
  deps: RestDeps & { reads: ReadsAfterWrites },
  { accounts, ...parts }: Pick<FeaturesDeps, 'kinds' | 'cursors' | 'transactions'> & { accounts: Accounts },
) {
  const { kube, clock, log, kubeMetrics } = deps;
  return createFeatures({
    ...deps,
    ...parts,
    installation,
    accounts: accounts.deps,
    watchAccounts: accounts.watch,
    names: accounts.names,
    keys: accounts.deps.keys,
    readSecret: (name) => readSignInSecret(env, name),
    accessKeys: keys.access,
    namespace: env.POD_NAMESPACE,
    contracts: env.TOKEN_CONTRACTS,
    openCache: (type) => createCacheReflector({ kube, clock, log, kubeMetrics, type }),
  });
}

/** The dependencies, with a kube whose writes show in what is read after them. */
function withReads(given: RestDeps, namespace: string): RestDeps & { reads: ReadsAfterWrites } {
  const reads = createReadsAfterWrites({ ...given, written: createWritten({ ...given, namespace }) });
  followCaches(reads, given.caches);
  return { ...given, reads, kube: reads.noting(given.kube) };
}

function transactionsOf(
  { installation, keys }: Settings,
  deps: RestDeps & { reads: ReadsAfterWrites },
  parts: { kinds: StoredKinds; cursors: Cursors; users: Accounts['users'] },
) {
  const { defaultWorkspace, rpc } = installation;
  return createTransactions({
    ...deps,
    ...parts,
    countTransactions: deps.traffic.transactions,
    accessKeys: keys.access,
    defaultWorkspace,
    rpc,
  });
}

function createEngines({ env }: Settings, deps: RestDeps): EngineWatch {
  const { kube, clock, log, kubeMetrics } = deps;
  const metrics = createEngineMetrics(deps.metrics);
  return createEngineWatch({ kube, namespace: env.POD_NAMESPACE, clock, log, kubeMetrics, metrics });
}

function createSweeps(
  deps: RestDeps,
  namespace: string,
  { takeBackLeftovers }: Pick<Accounts, 'takeBackLeftovers'>,
) {
  return [
    createSweep(deps, sweptRecords(namespace)),
    createSweep(deps, sweptReplays),
    createSweep(deps, sweptInvitations(namespace)),
    createHourly(deps, 'take back memberships that acceptances left', takeBackLeftovers),
  ];
}
