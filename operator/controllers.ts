import { workspaceIdOf } from '../core/accounts/ids.ts';
import { createSealer } from '../core/accounts/seal.ts';
import { createShares, type ShareOf } from '../core/accounts/shares/shares.ts';
import { createRelayEvents } from '../core/crosschain/relay/metrics.ts';
import type { EventRecorder } from '../core/kube/events/recorder.ts';
import type { Kube } from '../core/kube/kube.ts';
import type { KubeMetrics } from '../core/kube/metrics.ts';
import { createOutages } from '../core/kube/outages.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Log } from '../core/lib/log.ts';
import type { Metrics } from '../core/lib/metrics.ts';
import { createTouch } from '../core/networks/activity.ts';
import { createTraffic } from '../core/networks/traffic.ts';
import { createWake } from '../core/networks/wake.ts';
import { createOpenBudget } from '../core/outbox/openBudget.ts';
import { createSend } from '../core/outbox/send.ts';
import { createSenderQueues } from '../core/outbox/senderQueues.ts';
import { createSigner } from '../core/signing/signer.ts';
import type { StorageLedger } from '../core/storage/ledger.ts';
import type { WorkspaceLabel } from '../core/storage/metrics.ts';
import type { OperatorCaches } from './caches.ts';
import { createEngineLookup, createServiceLookup } from './engines.ts';
import { createIdController, type IdDeps, isIdentified } from './ids/controller.ts';
import { createHolders } from './ids/holders.ts';
import { createKeyEpochs } from './ids/keyEpochs.ts';
import { createLayerZeroController } from './layerzero/controller.ts';
import type { LayerZeroDeps } from './layerzero/deps.ts';
import { createNetworkController } from './network/controller.ts';
import type { NetworkDeps } from './network/deps.ts';
import { createForkHeadReader } from './network/forkSource.ts';
import { createMemberAddresses } from './network/lifecycle/members.ts';
import { createPersistentQuota } from './network/lifecycle/persistentQuota.ts';
import { createStopLimit } from './network/lifecycle/stopLimit.ts';
import { createProcessReader } from './network/readProcess.ts';
import { createReferenceReader } from './network/references.ts';
import { createAccessSecrets } from './network/render/accessSecret.ts';
import { createOutboxController, queuesOf } from './outbox/controller.ts';
import type { OutboxDeps } from './outbox/deps.ts';
import { createOutboxMetrics } from './outbox/metrics.ts';
import { createNodes } from './outbox/nodes.ts';
import { lastUnsettledMs } from './outbox/unsettled.ts';
import { createPluginBoard } from './plugin/board.ts';
import { createPluginController } from './plugin/controller.ts';
import type { PluginDeps } from './plugin/deps.ts';
import { createCallService } from './plugin/services.ts';
import { createChainPorts } from './ports/assemble.ts';
import { createBlockNews } from './ports/blockNews.ts';
import { createSigners } from './ports/signers.ts';
import { createRecordingController } from './recording/controller.ts';
import { createReaders } from './recording/readers.ts';
import type { RecordingDeps } from './recording/reconcile.ts';
import { createRelayController } from './relay/controller.ts';
import type { RelayDeps } from './relay/reconcile.ts';
import { createReplayController, type ReplayDeps } from './replay/controller.ts';
import { createPlaces } from './replay/nodes.ts';
import type { Controller } from './runtime/controller.ts';
import type { ControllerSettings } from './runtime/defineController.ts';
import type { Settings } from './settings.ts';
import { createSharesController, type SharesDeps } from './shares/controller.ts';
import { createSnapshotController } from './snapshot/controller.ts';
import type { SnapshotDeps } from './snapshot/reconcile.ts';
import { createStorageController, type StorageDeps } from './storage/controller.ts';
import { createTokenController } from './token/controller.ts';
import type { TokenDeps } from './token/deps.ts';
import { createUserController } from './user/controller.ts';
import type { UserDeps } from './user/deps.ts';
import { createWantedBoard } from './wanted/board.ts';
import { createWantedController, type WantedDeps } from './wanted/controller.ts';
import { createPoolController } from './warm/controller.ts';
import { createLauncher } from './warm/launcher.ts';
import { createWarmMetrics } from './warm/metrics.ts';
import { createPools } from './warm/pools.ts';
import type { PoolDeps } from './warm/reconcile.ts';
import { createWarmEngines } from './warm/warmEngines.ts';
import { createWorkspaceController } from './workspace/controller.ts';
import type { WorkspaceDeps } from './workspace/deps.ts';

/** The dependencies of each controller. */
export interface ControllerDeps {
  shareOf: ShareOf;
  id: Omit<IdDeps, 'holders'>;
  network: NetworkDeps;
  workspace: WorkspaceDeps;
  user: UserDeps;
  snapshot: SnapshotDeps;
  recording: RecordingDeps;
  outbox: OutboxDeps;
  replay: ReplayDeps;
  token: TokenDeps;
  relay: RelayDeps;
  plugin: PluginDeps;
  layerZero: LayerZeroDeps;
  pool: PoolDeps;
  storage: StorageDeps;
  shares: SharesDeps;
  wanted: WantedDeps;
  /** The controllers of features. */
  features: readonly ((settings: ControllerSettings) => readonly Controller[])[];
}

/** All controllers, for one term of leadership. */
export function createControllers(deps: ControllerDeps, given: ControllerSettings): Controller[] {
  const ids = { ...deps.id, holders: createHolders(deps.id.caches) };
  const settings: ControllerSettings = {
    ...given,
    shareOf: deps.shareOf,
    isIdentified: (object) => isIdentified(ids, object),
  };
  return [
    createIdController(ids, given),
    // First: it begins its term before any network is looked at.
    createWantedController(deps.wanted, settings),
    createNetworkController(deps.network, settings),
    createWorkspaceController(deps.workspace, settings),
    createUserController(deps.user, settings),
    createSnapshotController(deps.snapshot, settings),
    createRecordingController(deps.recording, settings),
    createOutboxController(deps.outbox, settings),
    createReplayController(deps.replay, settings),
    createTokenController(deps.token, settings),
    createRelayController(deps.relay, settings),
    createPluginController(deps.plugin, settings),
    createLayerZeroController(deps.layerZero, settings),
    createPoolController(deps.pool, settings),
    createStorageController(deps.storage),
    createSharesController(deps.shares, settings),
    ...deps.features.flatMap((createAll) => createAll(settings)),
  ];
}

/** The environment of the controllers. */
export interface Surroundings {
  settings: Settings;
  caches: OperatorCaches;
  /** Rejects writes unless this replica leads. */
  kube: Kube;
  events: EventRecorder;
  /** What workspaces store, and may store. */
  storage: StorageLedger;
  metrics: Metrics;
  kubeMetrics: KubeMetrics;
  /** The labels of workspaces in metrics. */
  workspaceLabel: WorkspaceLabel;
  clock: Clock;
  log: Log;
}

export function createControllerDeps(surroundings: Surroundings): ControllerDeps {
  const { caches } = surroundings;
  const common = commonDeps(surroundings);
  const { networks } = caches.networks;
  const outbox = outboxDeps(surroundings, common);
  const chains = chainDeps(surroundings, common, outbox);
  const relayEvents = createRelayEvents(common.metrics, common.log);
  const { accounts, engineOf } = common;
  const heads = createBlockNews({
    caches: { ...caches.networks, slices: caches.slices },
    clock: common.clock,
  });
  return {
    shareOf: common.shareOf,
    id: idDeps(surroundings, common),
    network: networkDeps(surroundings, common),
    plugin: pluginDeps(surroundings, common, chains),
    ...accountDeps(surroundings, common),
    snapshot: {
      ...common,
      caches: { snapshots: caches.networks.snapshots, networks },
      quota: common.installation.quota,
    },
    recording: {
      ...common,
      caches: { recordings: caches.recordings, networks },
      readerOf: createReaders(engineOf, common.shareOf, common.clock),
      heads,
    },
    outbox,
    replay: replayDeps(surroundings, common, outbox),
    token: { ...chains, caches: { tokens: caches.tokens, networks } },
    relay: { ...chains, caches: { journals: caches.journals, networks }, events: relayEvents('ccip'), heads },
    layerZero: { ...chains, caches: { networks }, relayEvents: relayEvents('layerzero') },
    features: caches.features.map((feature) =>
      feature.connect({ ...common, networks: caches.networks, eventLog: caches.eventLog }),
    ),
    pool: { ...common, caches: { pods: caches.networks.pods, workspaces: accounts.workspaces } },
    wanted: { ...common, caches: { networks } },
  };
}

/** Dependencies of the controllers that look at accounts: what they are, use and store. */
function accountDeps({ settings, caches }: Surroundings, common: CommonDeps) {
  const { accounts, installation } = common;
  const { defaultWorkspace } = installation;
  const { secrets } = caches.networks;
  const deps = { ...common, caches: accounts };
  return {
    workspace: {
      ...deps,
      serviceAccountKeys: common.keys.serviceAccounts,
      pullSecretsFolder: settings.env.PULL_SECRETS_DIR,
    },
    user: { ...deps, secrets },
    storage: { ...deps, ...installation },
    shares: { ...deps, defaultWorkspace },
  };
}

function idDeps({ caches }: Surroundings, common: CommonDeps): ControllerDeps['id'] {
  const { networks, secrets, snapshots } = caches.networks;
  const { tokens, recordings } = caches;
  const ofFeatures = caches.features.flatMap((feature) => feature.caches);
  return {
    ...common,
    accessKeys: common.keys.access,
    caches: {
      networks,
      secrets,
      snapshots,
      tokens,
      recordings,
      ...Object.fromEntries(ofFeatures.map((cache) => [cache.type.plural, cache])),
    },
  };
}

type CommonDeps = ReturnType<typeof commonDeps>;

function commonDeps({ settings, caches, ...surroundings }: Surroundings) {
  const { env, installation, masterKeys, keys } = settings;
  const { accounts } = caches;
  const sealer = createSealer(masterKeys);
  const engineOf = createEngineLookup({ ...caches.networks, slices: caches.slices });
  const serviceNamespace = env.POD_NAMESPACE;
  const shares = createShares((namespace) =>
    accounts.workspaces.get({
      namespace: serviceNamespace,
      name: workspaceIdOf(namespace, installation.defaultWorkspace),
    }),
  );
  return {
    ...surroundings,
    installation,
    keys,
    sealer,
    serviceNamespace,
    accounts,
    engineOf,
    shareOf: shares.of,
    traffic: createTraffic(),
    rpcOf: createNodes(engineOf),
    references: createReferenceReader(sealer),
    stopLimit: createStopLimit(installation.idle.maxStopsPerMinute),
    persistentQuota: createPersistentQuota(installation.quota.persistentNetworks),
    plugins: createPluginBoard(),
    keyEpochs: createKeyEpochs({
      kube: surroundings.kube,
      caches: { keyEpochs: caches.keyEpochs, networks: caches.networks.networks },
    }),
    engines: caches.engines,
    wanted: createWantedBoard(),
    pools: createPools(),
    signers: createSigners({
      caches: { ...accounts, secrets: caches.networks.secrets },
      sealer,
      serviceAccountKeys: keys.serviceAccounts,
      installation,
      serviceNamespace,
    }),
  };
}

function networkDeps({ settings, caches, metrics }: Surroundings, common: CommonDeps): NetworkDeps {
  const { accounts, signers, serviceNamespace, installation } = common;
  const membersOf = createMemberAddresses({
    ...accounts,
    serviceNamespace,
    defaultWorkspace: installation.defaultWorkspace,
  });
  return {
    ...common,
    caches: caches.networks,
    warm: createWarmEngines({
      ...common,
      caches: caches.networks,
      launcher: createLauncher(common),
      metrics: createWarmMetrics(metrics),
    }),
    accessSecrets: createAccessSecrets(common),
    readForkHead: createForkHeadReader(common),
    readProcess: createProcessReader(),
    systemContracts: settings.systemContracts,
    lastUnsettledMs: (network) =>
      lastUnsettledMs(queuesOf(caches.outboxes, network), network.status?.instance?.process),
    // Includes the service account, which pays for the contracts that tokens share.
    memberAddressesOf: (namespace) => [...membersOf(namespace), signers.serviceOf(namespace).address],
  };
}

function pluginDeps(
  { caches }: Surroundings,
  common: CommonDeps,
  chains: ReturnType<typeof chainDeps>,
): PluginDeps {
  const { networks, pods } = caches.networks;
  return {
    ...chains,
    caches: { networks, pods },
    board: common.plugins,
    callService: createCallService(createServiceLookup({ ...caches.networks, slices: caches.slices })),
  };
}

function outboxDeps({ caches, metrics }: Surroundings, common: CommonDeps): OutboxDeps {
  const { networks, secrets } = caches.networks;
  return {
    ...common,
    caches: { outboxes: caches.outboxes, networks, secrets, users: common.accounts.users },
    signer: createSigner(),
    serviceOf: common.signers.serviceOf,
    metrics: createOutboxMetrics(metrics),
  };
}

/** Dependencies of the controllers that deploy on chains. */
function chainDeps({ settings, caches }: Surroundings, common: CommonDeps, { signer }: OutboxDeps) {
  const { tokens, networks, outboxes } = caches;
  return {
    ...common,
    ...createChainPorts({ ...common, signer, tokens, outboxes, networks: networks.networks }),
    contracts: settings.tokenContracts,
  };
}

function replayDeps({ caches }: Surroundings, common: CommonDeps, { signer }: OutboxDeps): ReplayDeps {
  const { clock, log, installation } = common;
  const { kube, isOutage } = createOutages(common.kube);
  const { networks } = caches.networks;
  const queues = createSenderQueues({ kube, signer, clock, watched: caches.outboxes.get });
  const wake = createWake({
    kube,
    log,
    networks: { find: (uid) => networks.byIndex('uid', uid)[0]?.metadata },
  });
  return {
    ...common,
    kube,
    isOutage,
    caches: { replays: caches.replays },
    queues,
    send: createSend({ queues, clock, log, budget: createOpenBudget(caches.outboxes) }),
    serverTimeMs: kube.serverTimeMs,
    countTransactions: common.traffic.transactions,
    ownerOf: common.signers.ownerOf,
    placeOf: createPlaces({
      networks,
      rpcOf: common.rpcOf,
      touch: createTouch({ kube, wake, clock, log }),
      holdSeconds: installation.rpc.holdSeconds,
    }),
  };
}
