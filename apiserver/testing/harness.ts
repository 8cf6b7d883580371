import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashOfSecret } from '../../core/accounts/credentials.ts';
import { createSealer } from '../../core/accounts/seal.ts';
import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import type { Permission, Role } from '../../core/api/access/permissions.ts';
import { rolePermissions } from '../../core/api/access/permissions.ts';
import { type Installation, installationSchema, type OwnSources } from '../../core/api/installation.ts';
import type { EngineWatch } from '../../core/engines/engineWatch.ts';
import { aSetOf, fixedEngines } from '../../core/engines/testing/engineSets.ts';
import { eventKeyOf } from '../../core/events/eventKey.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import type { Kube, OpenPodLog } from '../../core/kube/kube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { type Clock, systemClock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { type Log, type LogFields, silentLog } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { createTouch } from '../../core/networks/activity.ts';
import { createTraffic } from '../../core/networks/traffic.ts';
import { createWake } from '../../core/networks/wake.ts';
import { createReplayCache } from '../../core/replays/cache.ts';
import { createStoredAnswers } from '../../core/storage/answers.ts';
import { budgetedKube } from '../../core/storage/budgetedKube.ts';
import { isClosedToUsers } from '../../core/storage/kinds.ts';
import { createStorageLedger } from '../../core/storage/ledger.ts';
import { createStorageRecords } from '../../core/storage/records.ts';
import type { Tracer } from '../../core/tracing/tracing.ts';
import { tokenContractsFolder } from '../../hack/contracts/paths.ts';
import { createApp } from '../app.ts';
import type { ServeConsole } from '../console/console.ts';
import { mountDocuments } from '../docs/documents.ts';
import { createEventSource, createEvents } from '../events/events.ts';
import { createFeatures } from '../features.ts';
import type { UpstreamLookup } from '../gateway/deps.ts';
import { createUpstreamLookup } from '../gateway/proxy/upstreams.ts';
import { createNetworkLookup } from '../gateway/wake/networks.ts';
import { createHandlers } from '../handlers.ts';
import { createAuthenticate } from '../http/auth/auth.ts';
import type { KeySource, KnownKey } from '../http/auth/keySource.ts';
import { createIdempotency } from '../http/idempotency/idempotency.ts';
import { createBudgetMetrics } from '../http/limits/budgetMetrics.ts';
import { type CallerLimits, createCallerLimits } from '../http/limits/callerLimits.ts';
import { createCursors } from '../http/paging/cursor.ts';
import { apiserverMetricTables } from '../metrics.ts';
import { createFundedAccountHandlers } from '../networks/accounts/handlers.ts';
import { createEndpointsOf } from '../networks/endpoints.ts';
import { createLogStreams } from '../networks/logs/logStreams.ts';
import { createReplayHandlers } from '../recordings/replay/replay.ts';
import type { AskReplicas } from '../replicas/askReplicas.ts';
import { createCacheReflector } from '../store/cache.ts';
import { createCaches } from '../store/caches.ts';
import { createReadsAfterWrites, followCaches } from '../store/readsAfterWrites.ts';
import { createStoredKinds } from '../store/storedKinds.ts';
import { createWritten } from '../store/written.ts';
import { createTokenHandlers } from '../tokens/handlers.ts';
import { createTransactions } from '../transactions/transactions.ts';
import { createAccounts } from '../workspaces/accounts.ts';
import type { Mailer } from '../workspaces/invitations/mail/mailer.ts';
import { createKindsGuard } from './kindsGuard.ts';

/** Under which secrets are hashed here. */
export const pepper = createSecretKey(Buffer.from('pepper'));

export interface TestUser {
  userId: string;
  workspaceId: string;
  namespace: string;
  role?: Role;
  /** Those of the key, where it is narrower than its role. */
  permissions?: Permission[];
}

/** Keys `<userId>` with the secret `secret-of-<userId>`. */
function keySourceOf(users: readonly TestUser[]): KeySource {
  const keys = new Map<string, KnownKey>(
    users.map(({ role = 'owner', permissions = [...rolePermissions[role]], ...user }) => [
      user.userId,
      {
        hash: hashOfSecret(pepper, 'apiKey', `secret-of-${user.userId}`),
        userId: user.userId,
        principal: { ...user, role, keyId: user.userId, permissions: new Set(permissions) },
      },
    ]),
  );
  return { find: (keyId) => keys.get(keyId) };
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape.
  json: any;
}

export interface RequestOptions {
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
  /** The user whose key to send; the first user if absent, no key if null. */
  as?: string | null;
}

export interface TestApi {
  url: string;
  /** For a server of the test's own. */
  app: RequestListener;
  request(path: string, options?: RequestOptions): Promise<Answer>;
  audits: LogFields[];
  /** Stores what was kept of requests so far, as the process does every few seconds. */
  flushRecords(): Promise<void>;
  /** Takes back the memberships that interrupted acceptances have left, as the process does every hour. */
  takeBackLeftovers(): Promise<void>;
  scrape(): Promise<string>;
  /** What features tell the gateway and other replicas. */
  features: Pick<ReturnType<typeof createFeatures>, 'observeCalls' | 'answersReplicas' | 'namedKeys'>;
  /** Ends the streams of events, as a drain does. */
  endStreams(): void;
  close(): Promise<void>;
}

export interface TestApiOptions {
  kube: Kube;
  users: readonly TestUser[];
  clock?: Clock;
  /** Of waits for other replicas; the system's by default. */
  readsClock?: Clock;
  sealer?: ReturnType<typeof createSealer>;
  /** The namespace of the service; `slipway-system` by default. */
  namespace?: string;
  /** Whether to create the default workspace and its administrator first. */
  hasDefaults?: boolean;
  limits?: Partial<CallerLimits>;
  /** The quota of accounts and their objects, where it differs from the usual one. */
  quota?: Partial<Installation['quota']>;
  /** Nothing is allowed by default. */
  ownSources?: Partial<OwnSources>;
  /** The first API key, where it differs from `bootstrap.secret-of-bootstrap`. */
  bootstrapKey?: { keyId?: string; keySecret?: string; expiresAt?: string };
  /** Parts of config.json, the client secrets of providers, and what mails; no provider and no mail by default. */
  signIn?: {
    oidc?: object;
    wallets?: object;
    readClientSecret?(provider: string): string;
    mailer?: Mailer;
  };
  /** Nobody signs in but with API keys, as where no feature adds another way. */
  hasKeysAlone?: boolean;
  /** `https://slipway.example` by default. */
  publicUrl?: string;
  /** 320 by default. */
  requestMemoryMiB?: number;
  /** How many seconds a submit waits for a network; 1 by default. */
  holdSeconds?: number;
  /** What the chart configures, where features need other than its defaults. */
  settings?: object;
  /** The logs of pods; empty by default. */
  openPodLog?: OpenPodLog;
  /** None by default. */
  serveConsole?: ServeConsole;
  /** The addresses of nodes; those of EndpointSlices by default. */
  upstreams?: UpstreamLookup;
  /** Nothing is traced by default. */
  tracer?: Tracer;
  /** None by default. */
  askReplicas?: AskReplicas;
  /** Only evm-dev by default. */
  engines?: Pick<EngineWatch, 'current'>;
}

export const testLimits: Installation['limits'] = {
  requestsPerSecond: 0,
  burst: 1,
  concurrent: 32,
  idempotencyKeysPerDay: 0,
  requestMemoryMiB: 320,
  eventStreams: { account: 8, workspace: 16, all: 32 },
  trustedProxies: 0,
};

const noReplicas: AskReplicas = async () => ({ answers: [], missing: 0 });

export const testSealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 7)]]) });

/** The REST API on a free local port, over a fake or a real Kube. */
export async function startTestApi(options: TestApiOptions): Promise<TestApi> {
  const { users, clock = systemClock, sealer = testSealer, namespace = 'slipway-system' } = options;
  const audits: LogFields[] = [];
  const log = auditingLog(audits);
  const metadata = { name: namespace };
  await createOrFind(options.kube, namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const written = createWritten({ kube: options.kube, namespace, clock: systemClock });
  const guard = createKindsGuard();
  const reads = guard.reads(
    createReadsAfterWrites({ written, clock: options.readsClock ?? systemClock, log: silentLog }),
  );
  const common = { kube: options.kube, log: silentLog, clock: systemClock };
  const records = createStorageRecords(common);
  const storedQuota = {
    workspaceStoredMiB: 256,
    storedMiB: 1024,
    workspaceCachedMiB: 32,
    cachedMiB: 128,
    ...options.quota,
  };
  const defaultWorkspace = { id: 'default', namespace: 'slipway-default' };
  const answers = createStoredAnswers({ ...common, namespace, defaultWorkspace });
  const storage = createStorageLedger({ quota: storedQuota, records, answers });
  const kube = reads.noting(budgetedKube(options.kube, { ledger: storage, isRefused: isClosedToUsers }));
  const metrics = createMetrics(apiserverMetricTables);
  const source = createEventSource({ kube, log: silentLog, clock, metrics });
  const caches = guard.caches(
    createCaches({ kube, log: silentLog, clock: systemClock, taps: source.eventLog.taps }),
  );
  followCaches(reads, caches);
  const allCaches = [...Object.values(caches), records, answers];
  for (const cache of allCaches) cache.start();
  await Promise.all(allCaches.map((cache) => cache.whenSynced()));
  const wake = createWake({
    kube,
    networks: createNetworkLookup(caches.networks, aKeyring('access key')),
    log,
  });
  const touch = createTouch({ kube, wake, clock, log });
  const kinds = createStoredKinds({ kube, caches, reads });
  const cursors = createCursors(aKeyring('cursor key'));
  const accounts = createAccounts({
    kube,
    reads,
    pepper,
    cursors,
    clock,
    log,
    namespace,
    defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
    publicUrl: options.publicUrl ?? 'https://slipway.example',
    bootstrapKey: {
      keyId: 'bootstrap',
      keySecret: 'secret-of-bootstrap',
      expiresAt: '',
      ...options.bootstrapKey,
    },
    quota: { workspaces: 5, accounts: 1000, accountsPerUser: 20, apiKeys: 200, ...options.quota },
  });
  const upstreams = options.upstreams ?? createUpstreamLookup(caches);
  const traffic = createTraffic();
  const transactions = createTransactions({
    accessKeys: aKeyring('access key'),
    kube,
    caches,
    kinds,
    reads,
    storage,
    sealer,
    touch,
    cursors,
    clock,
    log,
    upstreams,
    users: accounts.users,
    defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
    countTransactions: traffic.transactions,
    rpc: { holdSeconds: options.holdSeconds ?? 1, maxBodyBytes: 1024 * 1024 },
  });
  const replays = createReplayCache({ ...common, kube });
  const known = keySourceOf(users);
  const limits = {
    ...createCallerLimits(
      { ...testLimits, ...compact({ requestMemoryMiB: options.requestMemoryMiB }) },
      clock,
      createBudgetMetrics(metrics),
    ),
    ...options.limits,
  };
  const keySource: KeySource = {
    find: async (keyId) => (await known.find(keyId)) ?? accounts.deps.keys.find(keyId),
  };
  const endpointsOf = createEndpointsOf({
    accessKeys: aKeyring('access key'),
    publicUrl: 'http://gateway',
    serviceDomain: '',
  });
  const features = createFeatures({
    kube,
    caches,
    upstreams,
    keys: keySource,
    accounts: accounts.deps,
    watchAccounts: accounts.watch,
    readSecret: (name) => options.signIn?.readClientSecret?.(name.split('.')[1] ?? '') ?? '',
    contracts: tokenContractsFolder,
    kinds,
    reads,
    transactions,
    names: accounts.names,
    traffic,
    storage,
    askReplicas: options.askReplicas ?? noReplicas,
    accessKeys: aKeyring('access key'),
    namespace,
    cursors,
    sealer,
    limits,
    metrics,
    clock,
    log,
    installation: installationSchema.parse({
      publicUrl: 'http://gateway',
      defaultWorkspace,
      quota: { webhooks: 3, snapshots: 3, workspaceSnapshotsMiB: 2, ...storedQuota },
      workspaces: {
        resourceQuota: { 'count/networks.slipway.dev': 1000, 'count/snapshots.slipway.dev': '2' },
      },
      monitoring: { workspaceLabels: 2 },
      limits: testLimits,
      ...compact({ oidc: options.signIn?.oidc, wallets: options.signIn?.wallets }),
      ...options.settings,
    }),
    openCache: (type) => guard.cache(createCacheReflector({ ...common, kube, type })),
  });
  const events = createEvents({
    events: source,
    eventStreams: testLimits.eventStreams,
    keyring: aKeyring('cursor key'),
    access: features.access,
    eventKey: eventKeyOf(aKeyring('access key')),
    endpointsOf,
    networks: kinds.networks.cache,
    workspaceUid: accounts.uidOf,
    limits,
    clock,
  });
  const signIn = options.hasKeysAlone ? undefined : features.signIn;
  const workspaces = accounts.serve({ signIn, mailer: options.signIn?.mailer ?? features.mailer });
  const steps = [
    transactions.step,
    replays,
    ...accounts.caches,
    ...workspaces.deliveries,
    ...(options.hasDefaults ? [accounts.bootstrap] : []),
  ];
  for (const step of steps) step.start();
  await Promise.all(steps.map((step) => step.whenSynced()));
  for (const cache of features.caches) cache.start();
  await Promise.all(features.caches.map((cache) => cache.whenSynced()));
  const app = createApp({
    handlers: {
      ...createHandlers({
        kube,
        caches,
        kinds,
        features,
        touch,
        sealer,
        cursors,
        clock,
        engines: options.engines ?? fixedEngines(aSetOf({ 'evm-dev': {} })),
        openPodLog: options.openPodLog ?? (async () => (async function* () {})()),
        logStreams: createLogStreams({ ...limits, access: features.access, clock }),
        lifetimes: {
          idle: { afterSeconds: 86_400, maxAfterSeconds: 604_800, maxStopsPerMinute: 20 },
          expiry: { maxAfterSeconds: 86_400 },
        },
        forks: {
          url: 'http://forks',
          types: ['Ethereum'],
          concurrent: 32,
          cacheMiB: 128,
          ownSources: { allowedHosts: [], allowPrivateAddresses: false, ...options.ownSources },
        },
        quota: {
          persistentNetworks: 3,
          participants: 8,
          validators: 10_000,
          snapshots: 3,
          snapshotMiB: 1,
          workspaceSnapshotsMiB: 2,
          ...options.quota,
        },
        endpointsOf,
        presentNode: transactions.presentNode,
      }),
      ...workspaces.handlers,
      ...transactions.handlers,
      ...features.handlers,
      ...events.handlers,
      ...createFundedAccountHandlers({ kinds, sealer, findAccount: transactions.findAccount }),
      ...createReplayHandlers({ kube, kinds, transactions, replays, clock }),
      ...createTokenHandlers({ kube, kinds, touch, cursors, clock, transactions }),
    },
    authenticate: createAuthenticate({
      keys: keySource,
      other: signIn?.authenticator,
      pepper,
      accountRate: limits.accountRate,
      catchUp: reads.catchUp,
    }),
    once: createIdempotency({
      kube,
      namespace,
      sealer,
      pepper,
      clock: systemClock,
      findNetwork: kinds.networks.cache.byId,
      log,
    }),
    mountDocuments,
    recordAudit: features.note,
    serveConsole: options.serveConsole,
    reads,
    limits,
    log,
    metrics,
    clock,
    ...compact({ tracer: options.tracer }),
  });
  const server = createServer(guard.app(app)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    app,
    audits,
    features,
    takeBackLeftovers: accounts.takeBackLeftovers,
    flushRecords: features.flush,
    request: (path, request = {}) => send(url + path, { as: users[0]?.userId ?? null, ...request }),
    endStreams() {
      events.close();
      features.endStreams();
    },
    scrape: async () => (await metrics.scrape()).text,
    async close() {
      events.close();
      features.endStreams();
      server.closeAllConnections();
      server.close();
      source.close();
      await features.close();
      await Promise.all([...allCaches, ...features.caches, ...steps].map((cache) => cache.stop()));
    },
  };
}

export function credentialsOf(userId: string): Record<string, string> {
  return { 'X-API-Key-ID': userId, 'X-API-Key-Secret': `secret-of-${userId}` };
}

async function send(url: string, options: RequestOptions): Promise<Answer> {
  const { as, body, raw, method = body === undefined && raw === undefined ? 'GET' : 'POST' } = options;
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(as ? credentialsOf(as) : {}),
      ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...compact({ body: payload }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** Collects the audit lines. */
function auditingLog(audits: LogFields[]): Log {
  const log: Log = {
    ...silentLog,
    info: (_message, fields) => void (fields?.audit && audits.push(fields)),
    with: () => log,
  };
  return log;
}
