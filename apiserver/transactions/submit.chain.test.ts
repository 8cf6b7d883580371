import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { getCreateAddress } from 'ethers';
import { idempotencyRecordType, networkType, outboxType } from '../../core/api/resources/resources.ts';
import { awaitReceipts } from '../../core/evm/receipts.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { type SceneNetwork, sceneSealer } from '../../core/outbox/testing/scene.ts';
import { startTestApi } from '../testing/harness.ts';
import { type SubmitApi, startSubmitApi } from './testing/submitApi.ts';

let stop: SubmitApi['stop'];
let kube: SubmitApi['kube'];
let scene: SubmitApi['scene'];
let api: SubmitApi['api'];
let first: SceneNetwork;
let second: SceneNetwork;
beforeAll(async () => {
  ({ kube, scene, api, first, second, stop } = await startSubmitApi());
});
afterAll(() => stop());

const to = '0x00000000000000000000000000000000000000aa';
const item = (more: object = {}) => ({ from: scene.wallet.address, to, value: '1', data: '0x', ...more });
const submit = (byNetwork: Record<string, object[]>, options: object = {}) =>
  api.request('/transaction/v1alpha1/transaction/submit', {
    body: { transactions_by_network: byNetwork },
    ...options,
  });
const receiptsOf = (network: SceneNetwork, hashes: string[]) =>
  awaitReceipts(createEvmRpc({ url: network.url }), hashes, { timeoutMs: 10_000 });
const outboxes = async () => (await kube.list(outboxType, {})).items.length;

test('transactions for two networks are accepted with their hashes and mined in order', async () => {
  const { status, json } = await submit({
    [first.id]: [item(), item({ value: '2' })],
    [second.id]: [item()],
  });
  expect(status).toBe(202);
  expect(Object.keys(json)).toEqual(['tx_hashes_by_network']);
  const hashes = json.tx_hashes_by_network;
  expect(hashes[first.id]).toHaveLength(2);
  const receipts = await receiptsOf(first, hashes[first.id]);
  expect(receipts).toMatchObject([{ isSuccess: true }, { isSuccess: true }]);
  expect(receipts[0]!.block).toBeLessThanOrEqual(receipts[1]!.block);
  expect(await receiptsOf(second, hashes[second.id])).toMatchObject([{ isSuccess: true }]);
  expect(api.audits.at(-1)).toMatchObject({ operation: 'submitTransactions', user: scene.user.userId });
});

test('what has one possible value may be omitted: the sender, empty data, and 0x', async () => {
  const code = '600a600c600039600a6000f3602a60005260206000f3';
  const { status, json } = await submit({
    [first.id]: [
      { to, value: '1' },
      { to: null, value: '0', data: code, gas_limit: null },
      { to, value: '2', data: '' },
    ],
  });
  expect(status).toBe(202);
  const receipts = await receiptsOf(first, json.tx_hashes_by_network[first.id]);
  expect(receipts.map((one) => [one?.isSuccess, one?.contract !== undefined])).toEqual([
    [true, false],
    [true, true],
    [true, false],
  ]);
  const [hash] = json.tx_hashes_by_network[first.id];
  const sent = await createEvmRpc({ url: first.url }).call('eth_getTransactionByHash', [hash]);
  expect(sent).toMatchObject({ from: scene.wallet.address.toLowerCase(), input: '0x', value: '0x1' });
});

test('a transaction without a recipient creates a contract', async () => {
  const nonce = Number(
    await createEvmRpc({ url: first.url }).call('eth_getTransactionCount', [scene.wallet.address, 'latest']),
  );
  const { to: _to, ...creation } = item({
    value: '0',
    data: '0x600a600c600039600a6000f3602a60005260206000f3',
  });
  const { json } = await submit({ [first.id]: [creation] });
  const [receipt] = await receiptsOf(first, json.tx_hashes_by_network[first.id]);
  const address = getCreateAddress({ from: scene.wallet.address, nonce });
  expect(receipt).toMatchObject({ isSuccess: true, contract: address.toLowerCase() });
});

test('one invalid item refuses the batch of its network, but no other', async () => {
  const before = await outboxes();
  const { status, json } = await submit({ [first.id]: [item(), item({ from: to })], [second.id]: [item()] });
  expect(status).toBe(202);
  expect(Object.keys(json.tx_hashes_by_network)).toEqual([second.id]);
  expect(json.errors_by_network).toEqual({
    [first.id]: {
      reason: 'BadRequest',
      message: expect.any(String),
      details: [
        {
          path: `transactions_by_network.${first.id}[1].from`,
          message: expect.stringContaining('default key'),
        },
      ],
    },
  });
  expect(await outboxes()).toBe(before);
});

test('if nothing was accepted, it is 400 and names each place', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const { status, json } = await submit({
    [unknown]: [item()],
    [first.id]: [item({ value: `${10n ** 40n}` }), item({ gas_limit: 5 })],
  });
  expect(status).toBe(400);
  expect(json.reason).toBe('BadRequest');
  expect(json.details).toEqual([
    {
      path: `transactions_by_network.${unknown}`,
      message: 'network not found: check the id',
    },
    { path: `transactions_by_network.${first.id}[1].gas_limit`, message: expect.any(String) },
  ]);
});

test('a network of another workspace looks like one that does not exist', async () => {
  const { status, json } = await submit({ [first.id]: [item()] }, { as: 'ben' });
  expect(status).toBe(400);
  expect(json.details).toEqual([
    {
      path: `transactions_by_network.${first.id}`,
      message: 'network not found: check the id',
    },
  ]);
});

test('a user without a default key gets an error with the remedy', async () => {
  const theirs = await kube.create(networkType, {
    ...first.resource,
    metadata: { name: 'bens', namespace: 'ws-two' },
  });
  await kube.patch(networkType, theirs.metadata, { status: first.resource.status }, 'status');
  const id = theirs.metadata.uid;
  const find = scene.upstreams.find;
  scene.upstreams.find = (uid) => find(uid === id ? first.id : uid);
  const { status, json } = await submit({ [id]: [item()] }, { as: 'ben' });
  scene.upstreams.find = find;
  expect(status).toBe(400);
  expect(json.message).toContain('default-key');
});

test.each(['Solana', 'Thorchain', 'LayerZero'])(
  '%s networks do not accept EVM transactions',
  async (type) => {
    const name = type.toLowerCase();
    const { namespace } = scene.user;
    const network = kube.seed(networkType, {
      ...first.resource,
      metadata: { name, namespace },
      spec: { chain: { type: type as 'Solana' } },
    });
    const { status, json } = await submit({ [network.metadata.uid]: [item()] });
    expect(status).toBe(400);
    expect(json.message).toContain(`${type} networks do not accept EVM transactions`);
  },
);

test('a stopped network is woken; one that does not start in time is a retryable error', async () => {
  const { namespace } = scene.user;
  const asleep = await scene.addNetwork('asleep');
  const ref = { namespace, name: 'asleep' };
  await kube.patch(networkType, ref, { status: { state: 'Stopped' } }, 'status');
  const late = await submit({ [asleep.id]: [item()] });
  expect(late.status).toBe(503);
  expect(late.headers.get('retry-after')).toBeTruthy();
  const woken = await kube.get(networkType, ref);
  expect(woken?.metadata.annotations).toHaveProperty(['slipway.dev/wake']);

  const partly = await submit({ [asleep.id]: [item()], [second.id]: [item()] });
  expect(partly.status).toBe(202);
  expect(partly.json.errors_by_network[asleep.id].reason).toBe('Unavailable');
  await kube.patch(networkType, ref, { status: { state: 'Operational' } }, 'status');
  expect((await submit({ [asleep.id]: [item()] })).status).toBe(202);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['hangs', () => undefined],
  ['answers 500', (response) => void response.writeHead(500).end('oops')],
  ['answers garbage', (response) => void response.end('<html>')],
  ['answers without end', (response) => void Readable.from(endless()).pipe(response)],
])('a node that %s only affects its own network', async (reason, answer) => {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const broken = await scene.addNetwork(`broken-${reason.replaceAll(' ', '-')}`, {
    upstream: { host: '127.0.0.1', port },
  });
  const { status, json } = await submit({ [broken.id]: [item()], [second.id]: [item()] });
  expect(status).toBe(202);
  expect(json.tx_hashes_by_network[second.id]).toHaveLength(1);
  expect(json.errors_by_network[broken.id]).toMatchObject({ reason: 'Unavailable' });
  server.closeAllConnections();
  server.close();
});

function* endless(): Generator<string> {
  for (;;) yield 'x'.repeat(65_536);
}

test('the same Idempotency-Key gives the same hashes', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const one = await submit({ [first.id]: [item()] }, { headers });
  const two = await submit({ [first.id]: [item()] }, { headers });
  expect(two.json).toEqual(one.json);
  expect(one.status).toBe(202);
});

describe('an Idempotency-Key whose record was deleted, as it is after a day', () => {
  const headers = { 'Idempotency-Key': 'yesterday' };
  const forget = async () => {
    for (const { metadata } of (await kube.list(idempotencyRecordType)).items) {
      await kube.delete(idempotencyRecordType, metadata);
    }
  };

  test('sends another body, instead of answering with the former hashes', async () => {
    const one = await submit({ [first.id]: [item({ value: '5' })] }, { headers });
    await forget();
    const two = await submit({ [first.id]: [item({ value: '6' })] }, { headers });
    expect(two.status).toBe(202);
    const [[former], [latter]] = [one, two].map(({ json }) => json.tx_hashes_by_network[first.id]);
    expect(latter).not.toBe(former);
    expect(await receiptsOf(first, [former, latter])).toMatchObject([
      { isSuccess: true },
      { isSuccess: true },
    ]);
  });
});

test('a node that claims another chain id than its network gets nothing to sign', async () => {
  const rpc = createEvmRpc({ url: second.url });
  await rpc.call('anvil_setChainId', [1]);
  const { status, json } = await submit({ [second.id]: [item()] });
  await rpc.call('anvil_setChainId', [Number(second.resource.status?.chainID)]);
  expect(status).toBe(503);
  expect(json.message).toContain('claims chain id 1, but the network');
});

test('a partial answer is stored for its Idempotency-Key: failed parts need a new key', async () => {
  const late = await scene.addNetwork('late');
  const ref = { namespace: scene.user.namespace, name: 'late' };
  await kube.patch(networkType, ref, { status: { state: 'Stopped' } }, 'status');
  const both = { [late.id]: [item()], [second.id]: [item()] };
  const countOn = ({ url }: SceneNetwork) =>
    createEvmRpc({ url }).call('eth_getTransactionCount', [scene.wallet.address, 'pending']);
  const one = await submit(both, { headers: { 'Idempotency-Key': 'partly' } });
  expect(one.status).toBe(202);
  expect(Object.keys(one.json.errors_by_network)).toEqual([late.id]);
  await receiptsOf(second, one.json.tx_hashes_by_network[second.id]);
  const before = await countOn(second);

  await kube.patch(networkType, ref, { status: { state: 'Operational' } }, 'status');
  const two = await submit(both, { headers: { 'Idempotency-Key': 'partly' } });
  expect([two.status, two.json]).toEqual([202, one.json]);
  expect([await countOn(second), await countOn(late)]).toEqual([before, '0x0']);

  const rest = await submit({ [late.id]: [item()] }, { headers: { 'Idempotency-Key': 'the-rest' } });
  expect(rest.status).toBe(202);
  await receiptsOf(late, rest.json.tx_hashes_by_network[late.id]);
});

test('a batch that is too long is 400 immediately', async () => {
  const { status, json } = await submit({ [first.id]: Array.from({ length: 1001 }, () => item()) });
  expect(status).toBe(400);
  expect(json.details).toMatchObject([{ path: `transactions_by_network.${first.id}` }]);
});

test('a submission to a network that another replica deletes meanwhile is refused, and nothing is written', async () => {
  const { user, upstreams } = scene;
  const other = await startTestApi({ kube, users: [user], upstreams, sealer: sceneSealer });
  try {
    const network = await scene.addNetwork('deleted-meanwhile');
    const before = await outboxes();
    const remove = kube.intercept(async ({ verb, kind }) => {
      if (verb !== 'get' || kind !== 'Lease') return;
      remove();
      await other.request(`/v1alpha/networks/${network.id}`, { method: 'DELETE' });
    });
    const { status, json } = await submit({ [network.id]: [item()] });
    expect([status, json.message]).toEqual([400, expect.stringContaining('network not found')]);
    expect(await outboxes()).toBe(before);
  } finally {
    await other.close();
  }
});
