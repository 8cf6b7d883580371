import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transaction } from 'ethers';
import { newUser } from '../../core/accounts/objects.ts';
import type { OutboxResource } from '../../core/api/outbox.ts';
import { networkType, outboxType, secretType, userType } from '../../core/api/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/fake.ts';
import { createReflector } from '../../core/kube/reflector.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { batchesOf } from '../../core/transactions/batches.ts';
import { createLanes } from '../../core/transactions/lanes.ts';
import { laneNameOf } from '../../core/transactions/outboxObjects.ts';
import { type Result, unpackResults } from '../../core/transactions/results.ts';
import { createEvmRpc } from '../../core/transactions/rpc.ts';
import type { Signer } from '../../core/transactions/signer.ts';
import { signTransactions, type UnsignedTransaction } from '../../core/transactions/signing.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
  sceneSealer,
} from '../../core/transactions/testing/scene.ts';
import { createOutboxCache } from './controller.ts';
import type { OutboxDeps } from './deps.ts';
import { createOutboxReconcile, type OutboxReconcile } from './reconcile.ts';

/** The operator's side alone: what it does with an Outbox that an API server left behind. */

const signer: Signer = {
  sign: async (key, transactions) => signTransactions(key, transactions),
  close: async () => undefined,
};
const to = '0x00000000000000000000000000000000000000aa';

let kube: FakeKube;
let scene: ChainScene;
let network: SceneNetwork;
let clock: ReturnType<typeof createManualClock>;
let deps: OutboxDeps;
let reconcile: OutboxReconcile;
let settled: Result[];
let key: Buffer;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  clock = createManualClock(Date.parse('2030-01-02T03:04:05Z'));
  kube = createFakeKube({ clock });
  scene = await createChainScene(kube);
  network = await scene.addNetwork('net');
  key = Buffer.from(scene.wallet.privateKey.slice(2), 'hex');
  settled = [];
  stops = [];
  await startOperator();
}, 30_000);
afterEach(async () => {
  for (const stop of stops) await stop();
  await scene.stop();
});

/** An operator that has just begun: with caches, without memories. */
async function startOperator(): Promise<void> {
  const common = { kube, log: silentLog, clock: systemClock };
  const outboxes = createOutboxCache(common);
  const networks = createReflector({
    ...common,
    type: networkType,
    indexes: { uid: ({ metadata }) => [metadata.uid ?? ''] },
  });
  const secrets = createReflector({ ...common, type: secretType });
  const users = createReflector({ ...common, type: userType });
  const caches = { outboxes, networks, secrets, users };
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  stops.push(...Object.values(caches).map((cache) => () => cache.stop()));
  deps = {
    kube,
    caches,
    rpcOf: (uid) => {
      const place = scene.upstreams.find(uid);
      return (
        place &&
        createEvmRpc({ url: `http://${place.host}:${place.port}`, timeoutMs: 2000, maxBytes: 1_000_000 })
      );
    },
    signer,
    sealer: sceneSealer,
    installation: { defaultWorkspace: { id: 'default', namespace: 'slipway-default' } },
    serviceNamespace: 'slipway-system',
    meters: {
      settled: (result) => void settled.push(result),
      resent: () => undefined,
      filled: () => undefined,
    },
    clock: systemClock,
    log: silentLog,
  };
  reconcile = createOutboxReconcile(deps);
}

const laneOf = ({ id, name, resource }: SceneNetwork) => ({
  namespace: scene.user.namespace,
  network: { name, uid: id },
  incarnation: resource.status?.enclaveID ?? '',
  signer: scene.wallet.address,
});
const rpcOf = ({ url }: SceneNetwork) => createEvmRpc({ url });

const transfer = (more: Partial<UnsignedTransaction> = {}): UnsignedTransaction => ({
  chainId: '1200000001',
  to,
  value: '1',
  data: '0x',
  gasLimit: '21000',
  fees: { maxFeePerGas: '5000000000', maxPriorityFeePerGas: '1000000000' },
  ...more,
});

/** What an API server writes before it is killed. */
async function accept(transactions: UnsignedTransaction[], on = network): Promise<string[]> {
  const lanes = createLanes({ kube, signer, clock: systemClock });
  const first = (await rpcOf(on).call('eth_getBlockByNumber', ['0x0', false])) as { hash: string };
  const count = async () =>
    Number(await rpcOf(on).call('eth_getTransactionCount', [scene.wallet.address, 'pending']));
  const node = { genesis: first.hash, pendingCount: await count(), countNonces: count };
  const { hashes } = await lanes.submit({
    lane: laneOf(on),
    key,
    transactions,
    node,
    user: scene.user.userId,
  });
  return hashes;
}

const headOf = async (on = network): Promise<OutboxResource> => {
  const ref = { namespace: scene.user.namespace, name: laneNameOf(laneOf(on)) };
  const head = await kube.get(outboxType, ref);
  if (!head) throw new Error('there is no lane');
  return head;
};

/** Looks at the lane as often as needed until `isDone`; time goes on by a second each. */
async function lookUntil(isDone: (head: OutboxResource) => boolean, on = network): Promise<OutboxResource> {
  const { namespace } = scene.user;
  const name = laneNameOf(laneOf(on));
  for (let look = 0; look < 200; look++) {
    const stored = await headOf(on);
    await deps.caches.outboxes.waitFor(
      ({ metadata }) =>
        metadata.name === name && metadata.resourceVersion === stored.metadata.resourceVersion,
      { timeoutMs: 5000 },
    );
    await reconcile(`${namespace}/${name}`).catch(() => undefined);
    const head = await headOf(on);
    if (isDone(head)) return head;
    clock.advance(1000);
  }
  throw new Error(`not in time: ${JSON.stringify(await headOf(on))}`);
}
const isEmpty = (head: OutboxResource) => batchesOf(head).length === 0;

/** What the archive says, by hash. */
async function archived(): Promise<Record<string, Result>> {
  const { items } = await kube.list(outboxType, { labelSelector: 'slipway.dev/role=archive' });
  const batches = items.flatMap((item) => batchesOf(item));
  return Object.fromEntries(
    batches.flatMap(({ hashes = '', results }) =>
      unpackResults(results).map((result, index) => [
        `0x${hashes.slice(index * 64, index * 64 + 64)}`,
        result,
      ]),
    ),
  );
}

async function countOf(account = scene.wallet.address, on = network): Promise<number> {
  return Number(await rpcOf(on).call('eth_getTransactionCount', [account, 'latest']));
}

test('what was accepted and never sent is sent, mined once, and archived with its result', async () => {
  const hashes = await accept([
    transfer(),
    transfer({
      to: undefined as never,
      data: '0x600a600c600039600a6000f3602a60005260206000f3',
      gasLimit: '100000',
    }),
  ]);
  const head = await lookUntil(isEmpty);
  expect(await archived()).toEqual({
    [hashes[0]!]: { state: 'mined', block: expect.any(Number), gasUsed: 21_000 },
    [hashes[1]!]: {
      state: 'mined',
      block: expect.any(Number),
      gasUsed: expect.any(Number),
      contract: expect.any(String),
    },
  });
  expect(await countOf()).toBe(2);
  expect(head.spec).toMatchObject({ next: 2, archived: 1 });
  expect(settled).toHaveLength(2);
});

test('what was sent already is not sent anew, also by an operator that begins in between', async () => {
  const hashes = await accept([transfer(), transfer()]);
  const [batch] = batchesOf(await headOf());
  for (const raw of (batch?.raw ?? '').split(',')) {
    await rpcOf(network).call('eth_sendRawTransaction', [`0x${Buffer.from(raw, 'base64').toString('hex')}`]);
  }
  await startOperator();
  await lookUntil(isEmpty);
  expect(Object.keys(await archived()).sort()).toEqual([...hashes].sort());
  expect(await countOf()).toBe(2);
});

test('a batch of 300, of which a part was sent, is completed in its order', async () => {
  const hashes = await accept(Array.from({ length: 300 }, (_, index) => transfer({ value: String(index) })));
  await lookUntil(isEmpty);
  const results = await archived();
  expect(hashes.map((hash) => results[hash]?.state)).toEqual(hashes.map(() => 'mined'));
  const blocks = hashes.map((hash) => (results[hash] as { block: number }).block);
  expect(blocks).toEqual([...blocks].sort((a, b) => a - b));
  expect((await kube.list(outboxType, {})).items.filter(({ spec }) => spec.role === 'bytes')).toHaveLength(1);
  await lookUntil(() => true);
  expect((await kube.list(outboxType, {})).items.filter(({ spec }) => spec.role === 'bytes')).toEqual([]);
});

test('a transaction that fails is told with its reason', async () => {
  const revert = `08c379a0${'0'.repeat(62)}20${'0'.repeat(62)}02${Buffer.from('no').toString('hex').padEnd(64, '0')}`;
  // Creation code that reverts with Error("no").
  const code = `0x6064600c60003960646000fd${revert}`;
  const hashes = await accept([
    { ...transfer({ data: code, gasLimit: '200000', value: '0' }), to: undefined as never },
  ]);
  await lookUntil(isEmpty);
  expect((await archived())[hashes[0]!]).toMatchObject({ state: 'failed', reason: 'reverted: no' });
});

test('a nonce used from outside: its transaction is dropped, those after it are mined', async () => {
  const hashes = await accept([transfer(), transfer({ value: '2' })]);
  const [foreign] = signTransactions(key, [{ ...transfer({ value: '99' }), nonce: 0 }]);
  await rpcOf(network).call('eth_sendRawTransaction', [foreign!.raw]);
  await lookUntil(isEmpty);
  expect(await archived()).toMatchObject({
    [hashes[0]!]: { state: 'dropped', reason: expect.stringContaining('nonce 0') },
    [hashes[1]!]: { state: 'mined' },
  });
  expect(await countOf()).toBe(2);
});

test('a transaction that the node refuses for long gives its nonce up, so that those after it are mined', async () => {
  const user = newUser({ namespace: 'slipway-system', id: scene.user.userId }, { email: 'ann@example.com' });
  await kube.create(userType, user);
  await deps.caches.users.get(user.metadata);
  const hashes = await accept([transfer({ value: `${10n ** 30n}` }), transfer()]);
  let message = '';
  const head = await lookUntil((present) => {
    message ||= present.status?.message ?? '';
    return isEmpty(present) && present.spec.fillers?.length === 0;
  });
  expect(message).toMatch(/nonce 0: .*funds/i);
  expect(await archived()).toMatchObject({
    [hashes[0]!]: { state: 'dropped', reason: expect.stringMatching(/refused.*funds/i) },
    [hashes[1]!]: { state: 'mined' },
  });
  expect(await countOf()).toBe(2);
  expect(head.spec.next).toBe(2);
});

test('a nonce that nothing has, because the chain was set back by hand, is used up', async () => {
  const user = newUser({ namespace: 'slipway-system', id: scene.user.userId }, { email: 'ann@example.com' });
  await kube.create(userType, user);
  const rpc = rpcOf(network);
  const snapshot = await rpc.call('evm_snapshot', []);
  await accept([transfer()]);
  await lookUntil(isEmpty);
  await accept([transfer()]);
  await rpc.call('evm_revert', [snapshot]);
  await lookUntil(isEmpty);
  expect(await countOf()).toBe(2);
});

describe('a chain that began anew with the same chain id', () => {
  test('drops what was accepted before, and never sends it', async () => {
    const hashes = await accept([transfer(), transfer()]);
    const former = network;
    network = await scene.reset(network);
    await deps.caches.networks.waitFor(
      ({ status }) => status?.enclaveID === network.resource.status?.enclaveID,
      {
        timeoutMs: 5000,
      },
    );
    await lookUntil(isEmpty, former);
    expect(Object.values(await archived())).toEqual(
      hashes.map(() => ({ state: 'dropped', reason: expect.stringContaining('never sent again') })),
    );
    expect(await countOf()).toBe(0);
  });

  test('sends nothing as long as the network has not been told', async () => {
    await accept([transfer()]);
    const { resource } = network;
    network = await scene.reset(network);
    const { enclaveID } = resource.status ?? {};
    const patched = await kube.patch(networkType, resource.metadata, { status: { enclaveID } }, 'status');
    const { resourceVersion } = patched.metadata;
    await deps.caches.networks.waitFor(({ metadata }) => metadata.resourceVersion === resourceVersion, {
      timeoutMs: 5000,
    });
    network = { ...network, resource };
    const head = await lookUntil(({ status }) => status?.message !== undefined);
    expect(head.status?.message).toContain('not there');
    clock.advance(120_000);
    await lookUntil(() => true);
    expect(await countOf()).toBe(0);
    expect(batchesOf(head)).toHaveLength(1);
  });

  test('but what was mined is told as mined when the data was kept over the new life', async () => {
    const hashes = await accept([transfer()]);
    const [batch] = batchesOf(await headOf());
    const raw = `0x${Buffer.from(batch?.raw ?? '', 'base64').toString('hex')}`;
    expect(Transaction.from(raw).hash).toBe(hashes[0]);
    await rpcOf(network).call('eth_sendRawTransaction', [raw]);
    await kube.patch(networkType, network.resource.metadata, { status: { enclaveID: 'life-2' } }, 'status');
    await deps.caches.networks.waitFor(({ status }) => status?.enclaveID === 'life-2', { timeoutMs: 5000 });
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hashes[0]!]: { state: 'mined' } });
  });

  test('a stopped network has lost its data', async () => {
    await accept([transfer()]);
    await kube.patch(networkType, network.resource.metadata, { status: { state: 'Stopped' } }, 'status');
    await deps.caches.networks.waitFor(({ status }) => status?.state === 'Stopped', { timeoutMs: 5000 });
    await lookUntil(isEmpty);
    expect(Object.values(await archived())).toMatchObject([{ state: 'dropped' }]);
  });
});

describe('a node that cannot be used', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  test.each<
    [string, (write: (text: string) => boolean, end: (status: number, text: string) => void) => void]
  >([
    ['hangs', () => undefined],
    ['answers 500', (_write, end) => end(500, 'oops')],
    ['answers garbage', (_write, end) => end(200, '<html>')],
    ['answers numbers that are none', (_write, end) => end(200, '[{"id":0,"result":"many"}]')],
    ['answers a gigabyte', (write) => void pour(write)],
  ])('one that %s is reported, and nothing is lost', async (_reason, answer) => {
    const hashes = await accept([transfer()]);
    const find = scene.upstreams.find;
    server = createServer((_request, response) => {
      answer(
        (text) => !response.destroyed && response.write(text),
        (status, text) => void response.writeHead(status).end(text),
      );
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    scene.upstreams.find = () => ({ host: '127.0.0.1', port });
    const head = await lookUntil(({ status }) => status?.message !== undefined);
    expect(head.status?.message).toContain('node cannot be used');
    expect(batchesOf(head)).toHaveLength(1);
    scene.upstreams.find = find;
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hashes[0]!]: { state: 'mined' } });
  });

  function pour(write: (text: string) => boolean): void {
    const block = 'x'.repeat(65_536);
    for (let index = 0; index < 16_000 && write(block); index++);
  }
});

test('a transaction that the node has and holds back, though it is next, is taken out and sent again', async () => {
  const hashes = await accept([transfer(), transfer()]);
  const { url } = network;
  const held = new Set(hashes);
  let isHeld = true;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const calls: { id: number; method: string; params: string[] }[] = [JSON.parse(body)].flat();
    const answers = await Promise.all(
      calls.map(async ({ id, method, params }) => {
        if (method === 'anvil_removePoolTransactions') isHeld = false;
        if (isHeld && method === 'eth_sendRawTransaction')
          return { id, error: { code: -32003, message: 'transaction already imported' } };
        if (isHeld && method === 'eth_getTransactionByHash' && held.has(params[0] ?? ''))
          return { id, result: {} };
        const forwarded = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        });
        return forwarded.json();
      }),
    );
    response.end(JSON.stringify(body.startsWith('[') ? answers : answers[0]));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  scene.upstreams.find = () => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  await lookUntil(isEmpty);
  expect(isHeld).toBe(false);
  expect(Object.keys(await archived()).sort()).toEqual([...hashes].sort());
  expect(await countOf()).toBe(2);
  server.closeAllConnections();
  server.close();
});

test('what is settled is forgotten after a day, not before', async () => {
  await accept([transfer()]);
  await lookUntil(isEmpty);
  clock.advance(23 * 3_600_000);
  await lookUntil(() => true);
  expect(Object.keys(await archived())).toHaveLength(1);
  clock.advance(2 * 3_600_000);
  await lookUntil(() => true);
  expect(await archived()).toEqual({});
});
