import { Wallet } from 'ethers';
import { newUser } from '../../../core/accounts/objects.ts';
import { idIndex } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import type { OutboxResource } from '../../../core/api/resources/outbox.ts';
import { networkType, outboxType, secretType, userType } from '../../../core/api/resources/resources.ts';
import { readInstance } from '../../../core/evm/instance.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { areKnown } from '../../../core/evm/transactions.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { isSettling, settlingReason } from '../../../core/networks/settling.ts';
import { batchesOf } from '../../../core/outbox/batches.ts';
import { queueNameOf } from '../../../core/outbox/outboxObjects.ts';
import { hashesIn } from '../../../core/outbox/packedTransactions.ts';
import { type Result, unpackResults } from '../../../core/outbox/results.ts';
import { createSenderQueues } from '../../../core/outbox/senderQueues.ts';
import type { Submission } from '../../../core/outbox/submission.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
  sceneSealer,
} from '../../../core/outbox/testing/scene.ts';
import type { Signer } from '../../../core/signing/signer.ts';
import { signTransactions, type UnsignedTransaction } from '../../../core/signing/signing.ts';
import { createOutboxCache } from '../controller.ts';
import type { OutboxDeps } from '../deps.ts';
import { createOutboxReconcile, type OutboxReconcile } from '../reconcile.ts';
import { lastUnsettledMs } from '../unsettled.ts';

/**
 * Only the operator's side, over a fake Kube and a real node: an Outbox that an API server left behind, and its reconciles.
 * One scene for each test of a file.
 */

const signer: Signer = {
  sign: async (key, transactions) => signTransactions(key, transactions),
  close: async () => undefined,
};
const to = '0x00000000000000000000000000000000000000aa';

export let kube: FakeKube;
export let scene: ChainScene;
export let network: SceneNetwork;
export let clock: ReturnType<typeof createManualClock>;
export let deps: OutboxDeps;
let reconcile: OutboxReconcile;
export let settled: Result[];
export let key: Buffer;
let stops: (() => Promise<void>)[];

/** The service's own account, which holds no funds. */
export const service = new Wallet(`0x${'5f'.repeat(32)}`);
const serviceHolder = {
  address: service.address,
  withKey: <T>(work: (bytes: Uint8Array) => Promise<T>) =>
    work(Buffer.from(service.privateKey.slice(2), 'hex')),
};

/** Registers the setup and the teardown of each test. */
export function useQueueScene(): void {
  beforeEach(() => beginQueueScene());
  afterEach(endQueueScene);
}

export async function endQueueScene(): Promise<void> {
  for (const stop of stops) await stop();
  await scene.stop();
}

export async function beginQueueScene(options: { isPersistent?: boolean } = {}): Promise<void> {
  clock = createManualClock(Date.parse('2030-01-02T03:04:05Z'));
  kube = createFakeKube({ clock });
  scene = await createChainScene(kube);
  network = await scene.addNetwork('net', options);
  key = Buffer.from(scene.wallet.privateKey.slice(2), 'hex');
  settled = [];
  stops = [];
  await startOperator();
}

/** The network starts another chain; returns the network as it was. */
export async function beginAgain(): Promise<SceneNetwork> {
  const former = network;
  network = await scene.reset(network);
  return former;
}

/** Stores the account that submits, without which nobody can fill a nonce gap. */
export async function addUser(): Promise<void> {
  const user = newUser({ namespace: 'slipway-system', id: scene.user.userId }, { email: 'ann@example.com' });
  await kube.create(userType, user);
  await deps.caches.users.get(user.metadata);
}

/** The engine ends, and the next process runs on what the former one saved. */
export async function runAgain(end: 'restart' | 'crash'): Promise<void> {
  if (end === 'restart') await settleFirst();
  lookAtNetwork(await scene.again(network, end));
  await deps.caches.networks.waitFor(
    ({ status }) => status?.instance?.pod === network.resource.status?.instance?.pod,
    { timeoutMs: 60_000 },
  );
}

/** As the operator does before it ends an engine in order; 10 s at most (network/decide/settling.ts). */
async function settleFirst(): Promise<void> {
  const { name, resource } = network;
  const status = { state: 'Pending', reason: settlingReason };
  await kube.patch(networkType, { namespace: scene.user.namespace, name }, { status }, 'status');
  await deps.caches.networks.waitFor(isSettling, { timeoutMs: 60_000 });
  for (let look = 0; look < 10; look++) {
    const { items } = await kube.list(outboxType, { labelSelector: `${labels.role}=queue` });
    if (lastUnsettledMs(items, resource.status?.instance?.process) === undefined) return;
    await lookUntil(() => true);
    clock.advance(1000);
  }
}

/** Makes this network the current one. */
export function lookAtNetwork(other: SceneNetwork): void {
  network = other;
}

/** An operator that has just started: with caches, without memories. */
export async function startOperator(through: Kube = kube): Promise<void> {
  const common = { kube: through, log: silentLog, clock: systemClock };
  const outboxes = createOutboxCache(common);
  const networks = createReflector({
    ...common,
    type: networkType,
    indexes: { uid: ({ metadata }) => [metadata.uid], ...idIndex },
  });
  const secrets = createReflector({ ...common, type: secretType });
  const users = createReflector({ ...common, type: userType });
  const caches = { outboxes, networks, secrets, users };
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  stops.push(...Object.values(caches).map((cache) => () => cache.stop()));
  deps = {
    kube: through,
    caches,
    rpcOf: (uid) => {
      const place = scene.upstreams.find(uid);
      return (
        place &&
        createEvmRpc({ url: `http://${place.host}:${place.port}`, timeoutMs: 2000, maxBytes: 1_000_000 })
      );
    },
    signer,
    serviceOf: () => serviceHolder,
    sealer: sceneSealer,
    installation: { defaultWorkspace: { id: 'default', namespace: 'slipway-default' } },
    serviceNamespace: 'slipway-system',
    metrics: {
      settled: (result) => void settled.push(result),
      resent: () => undefined,
      filled: () => undefined,
    },
    clock: systemClock,
    log: silentLog,
  };
  reconcile = createOutboxReconcile(deps);
}

export const queueOf = ({ id, name, resource }: SceneNetwork) => ({
  namespace: scene.user.namespace,
  network: { name, uid: id, id },
  incarnation: resource.status?.enclaveID ?? '',
  signer: scene.wallet.address,
});
export const rpcOf = ({ url }: SceneNetwork) => createEvmRpc({ url });

export const transfer = (more: Partial<UnsignedTransaction> = {}): UnsignedTransaction => ({
  chainId: '1200000001',
  to,
  value: '1',
  data: '0x',
  gasLimit: '21000',
  fees: { maxFeePerGas: '5000000000', maxPriorityFeePerGas: '1000000000' },
  ...more,
});

/** What an API server writes before it is killed. */
export async function accept(
  transactions: UnsignedTransaction[],
  on = network,
  more: Partial<Submission> = {},
): Promise<string[]> {
  const queues = createSenderQueues({ kube, signer, clock: systemClock });
  const count = async () =>
    Number(await rpcOf(on).call('eth_getTransactionCount', [scene.wallet.address, 'pending']));
  const instance = await readInstance(rpcOf(on));
  const { hashes } = await queues.submit({
    queue: queueOf(on),
    key,
    transactions,
    node: {
      instance,
      pendingCount: await count(),
      countNonces: count,
      areKnown: (hashes) => areKnown(rpcOf(on), hashes),
    },
    user: scene.user.userId,
    // It has answered its caller, but the node has not acknowledged it.
    isQueued: true,
    ...more,
  });
  return hashes;
}

export const headOf = async (on = network, queue = queueOf(on)): Promise<Stored<OutboxResource>> => {
  const ref = { namespace: scene.user.namespace, name: queueNameOf(queue) };
  const head = await kube.get(outboxType, ref);
  if (!head) throw new Error('the sender queue does not exist');
  return head;
};

/** Reconciles the sender queue until `isDone`; the clock advances by a second each time. */
export async function lookUntil(
  isDone: (head: OutboxResource) => boolean,
  on = network,
  queue = queueOf(on),
): Promise<Stored<OutboxResource>> {
  const { namespace } = scene.user;
  const name = queueNameOf(queue);
  for (let account = 0; account < 200; account++) {
    const stored = await headOf(on, queue);
    await deps.caches.outboxes.waitFor(
      ({ metadata }) =>
        metadata.name === name && metadata.resourceVersion === stored.metadata.resourceVersion,
      { timeoutMs: 5000 },
    );
    await reconcile(`${namespace}/${name}`).catch(() => undefined);
    const head = await headOf(on, queue);
    if (isDone(head)) return head;
    clock.advance(1000);
  }
  throw new Error(`not in time: ${JSON.stringify(await headOf(on))}`);
}
export const isEmpty = (head: OutboxResource) => batchesOf(head).length === 0;

/** The archive, by hash. */
export async function archived(): Promise<Record<string, Result>> {
  const { items } = await kube.list(outboxType, { labelSelector: 'slipway.dev/role=archive' });
  const batches = items.flatMap((item) => batchesOf(item));
  const results = batches.flatMap((batch) => {
    const hashes = hashesIn(batch);
    return unpackResults(batch.results).map((result, index) => [hashes[index], result] as const);
  });
  // A transaction that was dropped, submitted again and mined has two.
  const isDropped = ([, { state }]: (typeof results)[number]) => state === 'dropped';
  return Object.fromEntries([...results.filter(isDropped), ...results.filter((one) => !isDropped(one))]);
}

export async function countOf(account = scene.wallet.address, on = network): Promise<number> {
  return Number(await rpcOf(on).call('eth_getTransactionCount', [account, 'latest']));
}
