import { createSealer } from '../core/accounts/seal.ts';
import { createRelayEvents } from '../core/crosschain/relay/metrics.ts';
import { createKube } from '../core/kube/client/client.ts';
import { createEventRecorder } from '../core/kube/events/recorder.ts';
import { createLeaderElector } from '../core/kube/leader/lease.ts';
import { createKubeMetrics } from '../core/kube/metrics.ts';
import { systemClock } from '../core/lib/clock.ts';
import { messageOf } from '../core/lib/errors.ts';
import { createLog } from '../core/lib/log.ts';
import { createMetrics } from '../core/lib/metrics.ts';
import { createSigner } from '../core/signing/signer.ts';
import { createEngineLookup, createSliceCache } from './engines.ts';
import { createLayerZeroController } from './layerzero/controller.ts';
import {
  createControllerMetrics,
  createNetworkCollector,
  createSecretCollector,
  operatorMetricTables,
} from './metrics.ts';
import { createNetworkCaches } from './network/caches.ts';
import { createNetworkController } from './network/controller.ts';
import { createMemberAddresses } from './network/lifecycle/members.ts';
import { createPersistentQuota } from './network/lifecycle/persistentQuota.ts';
import { createStopLimit } from './network/lifecycle/stopLimit.ts';
import { createReferenceReader } from './network/references.ts';
import { createOutboxCache, createOutboxController } from './outbox/controller.ts';
import { createOutboxCollector, createOutboxMetrics } from './outbox/metrics.ts';
import { createNodes } from './outbox/nodes.ts';
import { createChainPorts } from './ports/assemble.ts';
import { createSigners } from './ports/signers.ts';
import { createRecordingCache } from './recording/caches.ts';
import { createRecordingController } from './recording/controller.ts';
import { createReaders } from './recording/readers.ts';
import { createJournalCache } from './relay/caches.ts';
import { createRelayController } from './relay/controller.ts';
import { fenceWrites } from './runtime/fence.ts';
import { serveHealth } from './runtime/health.ts';
import { readSettings } from './settings.ts';
import { createTokenCache } from './token/caches.ts';
import { createTokenController } from './token/controller.ts';
import { createUserController } from './user/controller.ts';
import { createAccountCaches } from './workspace/caches.ts';
import { createWorkspaceController } from './workspace/controller.ts';

/** More requests at once than this are a rush, in which objects and states go before Events. */
const maxCalmRequests = 4;
/** For Events that still wait when the process is to end. */
const lastEventsMs = 5_000;

/** The operator: caches in every replica, controllers in the one that holds the lease. */
async function main(): Promise<void> {
  const read = readSettings();
  const { env, installation, forkSources, masterKeys, gatewayKey, systemContracts } = read;
  const clock = systemClock;
  const log = createLog('operator', env.LOG_LEVEL);
  const metrics = createMetrics(operatorMetricTables, { hasDefaults: true });
  const kubeMetrics = createKubeMetrics(metrics);
  const connection = { ...(env.KUBECONFIG ? { kubeconfigPath: env.KUBECONFIG } : {}), log, clock };
  const kube = createKube({ ...connection, metrics: kubeMetrics });
  const leaseKube = createKube(connection);
  const caches = createNetworkCaches({ kube, clock, log, metrics: kubeMetrics });
  const accountCaches = createAccountCaches({ kube, clock, log, metrics: kubeMetrics }, env.POD_NAMESPACE);
  const slices = createSliceCache({ kube, clock, log, metrics: kubeMetrics });
  const recordings = createRecordingCache({ kube, clock, log, metrics: kubeMetrics });
  const outboxes = createOutboxCache({ kube, clock, log, metrics: kubeMetrics });
  const tokens = createTokenCache({ kube, clock, log, metrics: kubeMetrics });
  const journals = createJournalCache({ kube, clock, log, metrics: kubeMetrics });
  const ownCaches = [slices, recordings, outboxes, tokens, journals];
  const allCaches = [...Object.values(caches), ...Object.values(accountCaches), ...ownCaches];
  const whyNotReady = () =>
    allCaches.every((cache) => cache.hasSynced()) ? undefined : 'caches are not synced yet';
  const collectNetworks = createNetworkCollector(metrics, () => caches.networks.list());
  const collectSecrets = createSecretCollector(metrics, () => caches.secrets.list());
  const collectOutbox = createOutboxCollector(metrics, () => outboxes.list(), clock.nowMs);
  const health = await serveHealth({
    port: env.METRICS_PORT,
    metrics,
    whyNotReady,
    beforeScrape() {
      collectNetworks();
      collectSecrets();
      collectOutbox();
    },
  });

  const sealer = createSealer(masterKeys);
  const signers = createSigners({
    caches: { ...accountCaches, secrets: caches.secrets },
    ...{ sealer, gatewayKey, installation, serviceNamespace: env.POD_NAMESPACE },
  });
  const membersOf = createMemberAddresses({
    ...accountCaches,
    serviceNamespace: env.POD_NAMESPACE,
    defaultWorkspace: installation.defaultWorkspace,
  });
  const urlOf = createEngineLookup(slices);
  const rpcOf = createNodes(urlOf);
  const deps = {
    kube: fenceWrites(kube, () => elector.isLeader()),
    caches,
    references: createReferenceReader(sealer),
    events: createEventRecorder({
      ...{ kube, component: 'slipway-operator', log, clock },
      isBusy: () => kube.inFlight() > maxCalmRequests,
    }),
    installation,
    forkSources,
    gatewayKey,
    systemContracts,
    rpcOf,
    // The service's own account as well: it pays for what tokens share.
    memberAddressesOf: (namespace: string) => [...membersOf(namespace), signers.serviceOf(namespace).address],
    stopLimit: createStopLimit(installation.idle.maxStopsPerMinute),
    places: createPersistentQuota(installation.quota.persistentNetworks),
    clock,
    log,
  };
  const accountDeps = {
    ...deps,
    caches: accountCaches,
    secrets: caches.secrets,
    sealer,
    serviceNamespace: env.POD_NAMESPACE,
  };
  const recordingDeps = {
    ...deps,
    caches: { recordings, networks: caches.networks },
    readerOf: createReaders(({ metadata }) => urlOf(metadata.uid ?? '')),
  };
  const outboxDeps = {
    ...accountDeps,
    caches: { outboxes, networks: caches.networks, secrets: caches.secrets, users: accountCaches.users },
    rpcOf,
    signer: createSigner(1),
    metrics: createOutboxMetrics(metrics),
  };
  const tokenDeps = {
    ...deps,
    ...createChainPorts({ ...outboxDeps, tokens, networks: caches.networks }),
    ...{ signers, contracts: read.tokenContracts, caches: { tokens, networks: caches.networks } },
  };
  const relayEvents = createRelayEvents(metrics, log);
  const relayDeps = {
    ...tokenDeps,
    caches: { journals, networks: caches.networks },
    events: relayEvents('ccip'),
  };
  const layerZeroDeps = { ...tokenDeps, caches, relayEvents: relayEvents('layerzero') };
  const settings = { workers: env.WORKERS, metrics: createControllerMetrics(metrics) };
  const elector = createLeaderElector({
    kube: leaseKube,
    namespace: env.POD_NAMESPACE,
    name: 'slipway-operator',
    identity: env.POD_NAME,
    clock,
    log,
    async onStarted(signal) {
      await Promise.all(allCaches.map((cache) => cache.whenSynced()));
      log.info('leading');
      const controllers = [
        createNetworkController(deps, settings),
        createWorkspaceController(accountDeps, settings),
        createUserController(accountDeps, settings),
        createRecordingController(recordingDeps, settings),
        createOutboxController(outboxDeps, settings),
        createTokenController(tokenDeps, settings),
        createRelayController(relayDeps, settings),
        createLayerZeroController(layerZeroDeps, settings),
      ];
      await Promise.all(controllers.map((controller) => controller.run(signal)));
    },
    onStopped: () => log.info('no longer leading'),
  });

  for (const cache of allCaches) cache.start();
  elector.start();
  log.info('started', { pod: env.POD_NAME });
  await stopRequested();
  log.info('stopping');
  await elector.stop();
  await Promise.race([deps.events.flush(), clock.sleep(lastEventsMs)]);
  await Promise.all(allCaches.map((cache) => cache.stop()));
  health.close();
  await Promise.all([kube.close(), leaseKube.close()]);
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    createLog('operator').error('cannot run', { error: messageOf(error) });
    process.exit(1);
  },
);
