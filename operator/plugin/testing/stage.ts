import { randomUUID } from 'node:crypto';
import { labels } from '../../../core/api/names.ts';
import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource, NetworkSpec } from '../../../core/api/resources/network.ts';
import { networkType, secretType } from '../../../core/api/resources/resources.ts';
import { createEvmRpc, createRpcAgent } from '../../../core/evm/rpc.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { confined } from '../../../core/kube/testing/confined.ts';
import { type Pod, podType } from '../../../core/kube/types.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createSend } from '../../../core/outbox/send.ts';
import { createSenderQueues } from '../../../core/outbox/senderQueues.ts';
import type { ServiceAnswer, ServiceRequest } from '../../../core/plugins/plugin.ts';
import type { PluginRegistry } from '../../../core/plugins/registry.ts';
import { createSigner } from '../../../core/signing/signer.ts';
import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';
import type { NetworkDeps } from '../../network/deps.ts';
import { createProcessReader } from '../../network/readProcess.ts';
import { startNode } from '../../network/testing/node.ts';
import { createWorkspaceNamespace, startOperator } from '../../network/testing/operator.ts';
import { createWholeCaches } from '../../network/testing/wholeCaches.ts';
import { createChains } from '../../ports/chains.ts';
import { createJournals } from '../../ports/journals.ts';
import { signersOf } from '../../token/testing/operator.ts';
import { startOutboxOperator } from '../../token/testing/outbox.ts';
import { createPluginController } from '../controller.ts';
import { openEngineRoom } from './engineRoom.ts';

const limitMs = 300_000;
const name = 'net';
const signer = createSigner(1);

export interface StageOptions {
  registry: PluginRegistry;
  /** What the services of the plugins answer, which do not run here. */
  answer?(service: string, request: ServiceRequest): ServiceAnswer;
  /** The URL of the chain that networks of the stage fork. */
  forkUrl?: string;
}

export type IsFit = (network: NetworkResource) => boolean;

/** A network with plugins on a real kube-apiserver; its chain runs in a real anvil, its pods are otherwise simulated. */
export type PluginStage = Awaited<ReturnType<typeof openPluginStage>>;

export async function openPluginStage(cluster: Kube, options: StageOptions) {
  const namespace = await createWorkspaceNamespace(cluster);
  const kube = confined(cluster, namespace);
  const caches = createWholeCaches({
    kube,
    clock: systemClock,
    log: silentLog,
    kubeMetrics: { watchRestarts: () => undefined },
  });
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  const node = startNode(kube, caches.pods);
  const room = openEngineRoom(caches, options.forkUrl ?? '');
  const agent = createRpcAgent();
  const rpcOf = (uid: string) => {
    const url = room.urlOf(uid);
    return url === undefined ? undefined : createEvmRpc({ url, agent, clock: systemClock });
  };
  const user = { userId: 'ann', workspaceId: 'one', namespace };
  const secrets = createReflector({ kube, clock: systemClock, log: silentLog, type: secretType });
  const signers = signersOf({ user }, secrets);
  const service = signers.serviceOf(namespace);
  // What an operator recorded is sent, whichever operator dies.
  const outbox = await startOutboxOperator(
    cluster,
    { user },
    { caches: { networks: caches.networks, secrets }, rpcOf },
    () => service,
  );

  const readProcess = createProcessReader();
  /** The pod has no address of its own here: its anvil is asked, once that answers. */
  async function readRoom(): Promise<string | undefined> {
    const { uid = '' } = network()?.metadata ?? {};
    await room.serves(uid);
    const url = room.urlOf(uid);
    return url === undefined ? undefined : readProcess(url);
  }

  /** `isDead`: nothing of it reaches a node any more. */
  function operate(through: Kube = kube, isDead: () => boolean = () => false) {
    const nodes: typeof rpcOf = (uid) => (isDead() ? undefined : rpcOf(uid));
    const common = { kube: through, clock: systemClock, log: silentLog };
    // Without waiting until a commit that was not answered gives up: nothing is left of a process that died.
    const clock: Clock = { ...systemClock, nowMs: () => (isDead() ? Number.MAX_SAFE_INTEGER : Date.now()) };
    const send = createSend({ ...common, clock, queues: createSenderQueues({ ...common, clock, signer }) });
    const also = (deps: NetworkDeps) => [
      createPluginController(
        {
          ...common,
          caches: deps.caches,
          board: deps.plugins,
          chainOf: createChains({
            kube: through,
            networks: deps.caches.networks,
            rpcOf: nodes,
            send,
            // Its keys are never replaced.
            outboxes: { byIndex: () => [] },
          }),
          journals: createJournals({
            kube: through,
            caches: { networks: deps.caches.networks, tokens: deps.caches.networks },
          }),
          signers,
          contracts: tokenContractsForTests(),
          events: deps.events,
          callService: async (_uid, asked, request) =>
            options.answer?.(asked, request) ?? { status: 200, headers: {}, body: '{}' },
        },
        { workers: 4 },
      ),
    ];
    return startOperator({
      kube: through,
      namespace,
      also,
      deps: {
        rpcOf: nodes,
        pluginRegistry: options.registry,
        memberAddressesOf: () => [service.address],
        readForkHead: async () => ({ block: 0 }),
        readProcess: readRoom,
      },
    });
  }

  const network = () => caches.networks.get({ namespace, name });
  const children = (): Stored<KubeObject>[] =>
    [caches.pods, caches.services, caches.configMaps, caches.volumeClaims].flatMap((cache) => [
      ...cache.list(),
    ]);

  /** The network once `isFit` holds; undefined when that takes too long, or when the signal is aborted. */
  function until(isFit: IsFit, signal?: AbortSignal): Promise<Stored<NetworkResource> | undefined> {
    return new Promise((resolve) => {
      const check = () => {
        const present = network();
        if (present && isFit(present)) end(present);
      };
      const end = (result: Stored<NetworkResource> | undefined) => {
        cancel();
        for (const stop of stops) stop();
        resolve(result);
      };
      const cancel = systemClock.after(limitMs, () => end(undefined));
      const stops = Object.values(caches).map((cache) => cache.onChange(check));
      signal?.addEventListener('abort', () => end(undefined));
      check();
    });
  }
  return {
    kube,
    namespace,
    service: service.address,
    operate,
    network,
    children,
    rpcOf,
    serves: room.serves,
    pods: () => caches.pods.list(),
    podOf: (part: string) =>
      caches.pods.list().find(({ metadata }) => metadata.labels?.[labels.part] === part),
    create: (spec: NetworkSpec) =>
      kube.create(networkType, {
        apiVersion: 'slipway.dev/v1alpha1',
        kind: 'Network',
        metadata: { name, namespace },
        spec,
      }),
    patch: (patch: object, subresource?: 'status') =>
      kube.patch(networkType, { namespace, name }, patch, subresource),
    losePod: async (part: string) => {
      for (const { metadata } of caches.pods.list().filter(isOfPart(part)))
        await kube.delete(podType, metadata, { uid: metadata.uid });
    },
    /** As the kubelet reports of a pod that serves, or does not serve any more. */
    setReady: async (part: string, isReady: boolean) => {
      const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
      for (const { metadata } of caches.pods.list().filter(isOfPart(part)))
        await kube.patch(podType, metadata, { status: { conditions } }, 'status');
    },
    /** As if the container of a part had been running since then. */
    startedAt: async (part: string, startedAt: string) => {
      for (const { metadata, status } of caches.pods.list().filter(isOfPart(part))) {
        const containerStatuses = (status?.containerStatuses ?? []).map((one) => ({
          ...one,
          state: { running: { startedAt } },
        }));
        await kube.patch(podType, metadata, { status: { containerStatuses } }, 'status');
      }
    },
    loseEveryPod: async () => {
      for (const { metadata } of caches.pods.list())
        await kube.delete(podType, metadata, { uid: metadata.uid });
    },
    /** Calls `look` at each change of the network until the returned function is called. */
    watch: (look: (network: NetworkResource) => void) =>
      caches.networks.onChange(({ object }) => look(object)),
    until,
    /** Resolves when `isFit` holds; checked at each change of the network and of its children. */
    async reach(isFit: IsFit): Promise<Stored<NetworkResource>> {
      const found = await until(isFit);
      if (found) return found;
      const left = children().map(({ metadata }) => metadata.name);
      throw new Error(`stuck: ${JSON.stringify([network()?.status, left])}`);
    },
    /** How many transactions the service has sent on the present chain. */
    async sent(): Promise<number> {
      const uid = network()?.metadata.uid ?? '';
      await room.serves(uid);
      return Number(await rpcOf(uid)?.call('eth_getTransactionCount', [service.address, 'latest']));
    },
    async codeAt(address = ''): Promise<unknown> {
      return rpcOf(network()?.metadata.uid ?? '')?.call('eth_getCode', [address, 'latest']);
    },
    async close() {
      await outbox.stop();
      await node.stop();
      await room.stop();
      await Promise.all(Object.values(caches).map((cache) => cache.stop()));
    },
  };
}

const isOfPart = (part: string) => (pod: Pod) => pod.metadata.labels?.[labels.part] === part;

/** A fresh value for annotations that ask for something. */
export const once = () => randomUUID();
