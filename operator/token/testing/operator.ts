import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { idIndex, originIndex } from '../../../core/api/ids.ts';
import { apiVersion } from '../../../core/api/names.ts';
import { networkType, secretType, tokenType } from '../../../core/api/resources/resources.ts';
import type {
  DeploymentStatus,
  TokenResource,
  TokenSpec,
} from '../../../core/api/resources/tokenResource.ts';
import { aUser, aWorkspace } from '../../../core/api/testing/accountBuilders.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import type { RelayEvents } from '../../../core/crosschain/relay/relay.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import { createEventRecorder } from '../../../core/kube/events/recorder.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createSend } from '../../../core/outbox/send.ts';
import { createSenderQueues } from '../../../core/outbox/senderQueues.ts';
import { type ChainScene, sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { createSigner } from '../../../core/signing/signer.ts';
import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';
import { createOutboxCache } from '../../outbox/controller.ts';
import { createNodes } from '../../outbox/nodes.ts';
import { createChains } from '../../ports/chains.ts';
import { createJournals } from '../../ports/journals.ts';
import { createSigners, type Signers, type SignersDeps } from '../../ports/signers.ts';
import { createJournalCache } from '../../relay/caches.ts';
import { createRelayController } from '../../relay/controller.ts';
import { createTokenCache } from '../caches.ts';
import { createTokenController } from '../controller.ts';
import type { TokenDeps } from '../deps.ts';

const limit = { timeoutMs: 90_000 };
const serviceAccountKeys = aKeyring('service account key');
const signer = createSigner(1);

type Secrets = SignersDeps['caches']['secrets'];
type Nodes = (networkUid: string) => EvmRpc | undefined;

/** What an operator reaches besides its Kube. */
export interface Surroundings {
  clock: Clock;
  /** A hook between the operator and its nodes. */
  through(nodes: Nodes): Nodes;
}

const plain: Surroundings = { clock: systemClock, through: (nodes) => nodes };

/** The dependencies that chain controllers share, over the networks of a scene. */
export function createChainDeps(kube: Kube, scene: ChainScene, { clock, through } = plain) {
  const { namespace } = scene.user;
  const common = { kube, clock, log: silentLog };
  const caches = {
    tokens: createTokenCache({ ...common, namespace }),
    networks: createReflector({
      ...common,
      type: networkType,
      namespace,
      indexes: { uid: ({ metadata }) => [metadata.uid], ...idIndex, ...originIndex },
    }),
    secrets: createReflector({ ...common, type: secretType }),
    journals: createJournalCache({ ...common, namespace }),
    outboxes: createOutboxCache(common),
  };
  const signers = signersOf(scene, caches.secrets);
  const rpcOf = through(
    createNodes((uid) => {
      const place = scene.upstreams.find(uid);
      return place && { url: `http://${place.host}:${place.port}` };
    }),
  );
  const send = createSend({ ...common, queues: createSenderQueues({ ...common, signer }) });
  const deps: TokenDeps = {
    ...common,
    caches,
    chainOf: createChains({ kube, networks: caches.networks, outboxes: caches.outboxes, rpcOf, send }),
    journals: createJournals({ kube, caches }),
    signers,
    contracts: tokenContractsForTests(),
    events: createEventRecorder({ ...common, component: 'slipway-operator' }),
  };
  const failures: string[] = [];
  const relayEvents: RelayEvents = {
    delivered: () => undefined,
    failed: (_source, { id }, { reason }) => void failures.push(`${id}: ${reason}`),
    waiting: () => undefined,
    wentBack: () => undefined,
    interrupted: () => undefined,
  };
  return { ...deps, caches, rpcOf, relayEvents, failures };
}

/** The signers of a scene's workspace. */
export function signersOf(
  { user: { namespace, userId, workspaceId } }: Pick<ChainScene, 'user'>,
  secrets: Secrets,
): Signers {
  const user = aUser({ name: userId, spec: {} });
  const workspace = aWorkspace({ name: workspaceId, spec: { owners: [userId] } });
  return createSigners({
    caches: {
      users: { get: ({ name }) => (name === userId ? asStored(user) : undefined) },
      workspaces: { list: () => [asStored(workspace)] },
      memberships: { get: () => undefined },
      secrets,
    },
    sealer: sceneSealer,
    serviceAccountKeys,
    installation: { defaultWorkspace: { id: workspaceId, namespace } },
    serviceNamespace: 'slipway-system',
  });
}

/** The token controllers of an operator, with its relay, without leader election. */
export async function startTokenOperator(kube: Kube, scene: ChainScene, surroundings?: Surroundings) {
  const deps = createChainDeps(kube, scene, surroundings);
  const { caches } = deps;
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  const stopping = new AbortController();
  const settings = { workers: 4 };
  const controllers = [
    createTokenController(deps, settings),
    createRelayController({ ...deps, events: deps.relayEvents }, settings),
  ];
  const running = Promise.all(controllers.map((controller) => controller.run(stopping.signal)));
  return {
    deps,
    async reach(
      name: string,
      isFit: (token: TokenResource) => boolean,
      signal?: AbortSignal,
    ): Promise<TokenResource> {
      const fits = (token: TokenResource) => token.metadata.name === name && isFit(token);
      const found = await caches.tokens.waitFor(fits, { ...limit, ...compact({ signal }) });
      if (found) return found;
      const present = caches.tokens.list().find(({ metadata }) => metadata.name === name);
      throw new Error(`${name} did not reach the expected state: ${JSON.stringify(present?.status)}`);
    },
    /** With `keepCaches` its caches stay current; nobody waits for the end of a dead operator. */
    async stop({ keepCaches = false, isDead = false } = {}) {
      stopping.abort();
      if (!isDead) await running;
      if (keepCaches) return;
      await Promise.all(Object.values(caches).map((cache) => cache.stop()));
    },
  };
}
export type TokenOperator = Awaited<ReturnType<typeof startTokenOperator>>;

export async function createToken(
  kube: Kube,
  scene: ChainScene,
  {
    labels = {},
    ...spec
  }: Partial<TokenSpec> & Pick<TokenSpec, 'type' | 'deployments'> & { labels?: Record<string, string> },
): Promise<string> {
  const name = `${spec.type.toLowerCase()}-${Math.random().toString(36).slice(2, 8)}`;
  await kube.create(tokenType, {
    apiVersion,
    kind: 'Token',
    metadata: { name, namespace: scene.user.namespace, labels },
    spec: { name: 'Test', symbol: 'TST', decimals: 18, ...spec },
  });
  return name;
}

export const isDeployed = ({ spec, status }: TokenResource): boolean =>
  spec.deployments.every((entry) => isThere(deploymentOn(status?.deployments, entry.network)));

const isThere = (one: DeploymentStatus | undefined) => one?.state === 'Deployed' && one.message === undefined;

export function deploymentOn(
  deployments: readonly DeploymentStatus[] | undefined,
  network: string,
): DeploymentStatus | undefined {
  return deployments?.find((one) => one.network === network);
}
