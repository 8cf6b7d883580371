import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../../core/accounts/keyring.ts';
import { createSealer } from '../../../core/accounts/seal.ts';
import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { secretType } from '../../../core/api/resources/resources.ts';
import type { SecretResource } from '../../../core/api/resources/secret.ts';
import { allEngines } from '../../../core/chains/ethereum/testing/planInput.ts';
import { fixedEngines } from '../../../core/engines/testing/engineSets.ts';
import { createEventRecorder } from '../../../core/kube/events/recorder.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { confined } from '../../../core/kube/testing/confined.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { silentLog } from '../../../core/lib/log.ts';
import type { Tracer } from '../../../core/tracing/tracing.ts';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import { createPluginBoard } from '../../plugin/board.ts';
import type { Controller } from '../../runtime/controller.ts';
import { createWantedBoard } from '../../wanted/board.ts';
import type { WarmEngines } from '../../warm/warmEngines.ts';
import { createNetworkCaches } from '../caches.ts';
import { createNetworkController } from '../controller.ts';
import type { NetworkCaches, NetworkDeps } from '../deps.ts';
import { createPersistentQuota } from '../lifecycle/persistentQuota.ts';
import { createStopLimit } from '../lifecycle/stopLimit.ts';
import { createReferenceReader } from '../references.ts';
import { createAccessSecrets } from '../render/accessSecret.ts';
import { anInstallation } from './facts.ts';

const sealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 1)]]) });
const systemContracts = systemContractsForTests();
const limit = { timeoutMs: 120_000 };

export interface OperatorOptions {
  kube: Kube;
  /** The operator only sees this namespace: other tests have networks on the same kube-apiserver. */
  namespace: string;
  /** true: it sees all namespaces. */
  isUnconfined?: boolean;
  clock?: Clock;
  /** Nothing is traced by default. */
  tracer?: Tracer;
  accessKeys?: Keyring;
  /** Instead of those of this helper. */
  deps?: Partial<NetworkDeps>;
  /** Pods that wait for networks; by default, there are none. */
  warm?(deps: NetworkDeps): WarmEngines;
  /** Controllers that run as well. */
  also?(deps: NetworkDeps): Controller[];
  /** The engine's answers. By default, a ready engine has produced its first block. */
  answer?(method: string): unknown;
}

export interface RunningOperator {
  caches: NetworkCaches;
  /** Resolves with the network of that name once `isFit` returns true. */
  reach(name: string, isFit: (network: NetworkResource) => boolean): Promise<NetworkResource>;
  stop(): Promise<void>;
}

const firstBlock = (method: string) => (method === 'getSlot' ? 1 : null);

/** An operator with the network controller and its caches, without leader election. */
export function startOperator(options: OperatorOptions): RunningOperator {
  const { clock = systemClock, answer = firstBlock } = options;
  const kube = options.isUnconfined ? options.kube : confined(options.kube, options.namespace);
  const log = silentLog;
  const caches = createNetworkCaches({ kube, clock, log, kubeMetrics: { watchRestarts: () => undefined } });
  const stop = new AbortController();
  const plain: NetworkDeps = {
    kube,
    caches,
    references: createReferenceReader(sealer),
    events: createEventRecorder({ kube, component: 'slipway-operator', log }),
    installation: anInstallation({
      forks: {
        url: 'http://forks',
        types: ['Ethereum'],
        ownSources: { allowedHosts: ['node.example'] },
      },
    }),
    keys: {
      access: options.accessKeys ?? aKeyring('access key'),
      engines: aKeyring('engine key'),
      forks: aKeyring('fork key'),
    },
    accessSecrets: createAccessSecrets({ kube, clock }),
    readForkHead: async () => ({ block: 4321 }),
    // There is no real engine.
    readProcess: async () => '0x1',
    systemContracts,
    rpcOf: () => ({
      call: async (method: string) => answer(method),
      batch: async () => [],
    }),
    stopLimit: createStopLimit(20),
    persistentQuota: createPersistentQuota(3),
    plugins: createPluginBoard(),
    engines: fixedEngines(allEngines),
    wanted: createWantedBoard(),
    clock,
    log,
    ...options.deps,
  };
  const deps = options.warm ? { ...plain, warm: options.warm(plain) } : plain;
  for (const cache of Object.values(caches)) cache.start();
  const running = Promise.all(Object.values(caches).map((cache) => cache.whenSynced())).then(
    async () => {
      const controllers = [
        createNetworkController(deps, { workers: 4, ...compact({ tracer: options.tracer }) }),
        ...(options.also?.(deps) ?? []),
      ];
      await Promise.all(controllers.map((controller) => controller.run(stop.signal)));
    },
    // Stopped before its caches were synced.
    () => undefined,
  );
  return {
    caches,
    async reach(name, isFit) {
      const fits = (network: NetworkResource) => network.metadata.name === name && isFit(network);
      const found = await caches.networks.waitFor(fits, limit);
      if (!found) throw new Error(`${name}: ${JSON.stringify(caches.networks.list())}`);
      return found;
    },
    async stop() {
      stop.abort();
      await Promise.all(Object.values(caches).map((cache) => cache.stop()));
      await running;
    },
  };
}

/** Creates a namespace with the secret `key`. Returns its name. */
export async function createWorkspaceNamespace(kube: Kube): Promise<string> {
  const name = `home-${randomBytes(4).toString('hex')}`;
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await kube.create(secretType, aKeySecret(name));
  return name;
}

/** A sealed secret that these operators can unseal. 32 bytes are a valid private key. */
export function aKeySecret(namespace: string, name = 'key', data = Buffer.alloc(32, 9)): SecretResource {
  return aSealedSecret({ namespace, name }, 'private-key', data);
}

/** The same of another type. */
export function aSealedSecret(
  { namespace, name }: { namespace: string; name: string },
  type: string,
  data: Uint8Array,
): SecretResource {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Secret',
    metadata: { name, namespace },
    spec: { type, data: sealer.seal(data, { namespace, name, owner: '' }) },
  };
}
