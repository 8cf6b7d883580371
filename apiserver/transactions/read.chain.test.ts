import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { networkType, outboxType } from '../../core/api/resources/resources.ts';
import { awaitReceipts } from '../../core/evm/receipts.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { batchesOf, packBatches } from '../../core/outbox/batches.ts';
import { newOutbox, withSpec } from '../../core/outbox/outboxObjects.ts';
import { packResults, type Result } from '../../core/outbox/results.ts';
import type { SceneNetwork } from '../../core/outbox/testing/scene.ts';
import { eventually } from '../testing/eventually.ts';
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

const path = '/transaction/v1alpha1/transaction/submissions';
const to = '0x00000000000000000000000000000000000000aa';
const item = (more: object = {}) => ({ from: scene.wallet.address, to, value: '1', data: '0x', ...more });

async function submit(network: SceneNetwork, ...items: object[]): Promise<string[]> {
  const { json, text } = await api.request('/transaction/v1alpha1/transaction/submit', {
    body: { transactions_by_network: { [network.id]: items } },
  });
  if (!json.tx_hashes_by_network) throw new Error(text);
  return json.tx_hashes_by_network[network.id];
}
const read = async (hash: string, query = '') => (await api.request(`${path}/${hash}${query}`)).json;
/** The same transaction can have the same hash on two networks of the scene, because they share their chain id. */
const readUntil = (hash: string, state: string, { id }: SceneNetwork) =>
  eventually(
    () => read(hash, `?network_id=${id}`),
    (json) => json.state === state,
  );

/** Moves the only batch of the sender queue to the archive, like the operator. */
async function archive(network: SceneNetwork, result: Result, number = 0): Promise<void> {
  const { items } = await kube.list(outboxType, { labelSelector: `slipway.dev/network=${network.id}` });
  const [head] = items.filter(({ spec }) => spec.role === 'queue');
  if (!head) throw new Error('no sender queue found');
  const batches = batchesOf(head).map(({ raw: _raw, ...batch }) => ({
    ...batch,
    settledAt: '2030-01-02T03:04:05Z',
    results: packResults(Array.from({ length: batch.count }, () => result)),
  }));
  const { metadata, spec } = head;
  const labels = { ...metadata.labels, 'slipway.dev/role': 'archive' };
  await kube.create(outboxType, {
    ...head,
    metadata: { name: `${metadata.name}-a${number}`, namespace: metadata.namespace, labels },
    spec: { ...spec, role: 'archive', batches: packBatches(batches) },
  });
  await kube.replace(outboxType, withSpec(head, { ...spec, batches: '[]', archived: number + 1 }));
}

test('a transaction that was just submitted is returned with its state on the chain and its receipt', async () => {
  const [hash = ''] = await submit(first, item());
  expect(await readUntil(hash, 'mined', first)).toMatchObject({
    kind: 'Submission',
    hash,
    network_id: first.id,
    from: scene.wallet.address,
    nonce: expect.any(Number),
    block: expect.any(Number),
    gas_used: 21_000,
    user_id: scene.user.userId,
    receipt: { transactionHash: hash, status: '0x1' },
  });
});

test('a reverted transaction is returned with its reason', async () => {
  const { to: _to, ...creation } = item({ value: '0', data: '0x60006000fd', gas_limit: 100_000 });
  const [hash = ''] = await submit(first, creation);
  expect(await readUntil(hash, 'failed', first)).toMatchObject({ message: 'reverted without a reason' });
});

test('a list returns submissions newest first, by pages and by selector', async () => {
  const hashes = await submit(second, ...Array.from({ length: 5 }, () => item()));
  const list = async (query: string) => (await api.request(`${path}?${query}`)).json;
  const selector = `selector=${encodeURIComponent(`network_id == ${second.id}`)}`;
  const whole = await eventually(
    () => list(selector),
    (json) => json.items?.length === 5,
  );
  expect(whole).toMatchObject({ kind: 'SubmissionList', version: 'v1alpha1' });
  expect(whole.items.map(({ hash }: { hash: string }) => hash)).toEqual(hashes.toReversed());
  const page = await list(`${selector}&limit=2`);
  expect(page.items).toHaveLength(2);
  const next = await list(`${selector}&limit=3&cursor=${encodeURIComponent(page.metadata.cursor)}`);
  expect([...page.items, ...next.items]).toEqual(whole.items);
  expect(next.metadata).toEqual({});
  expect((await list(`selector=${encodeURIComponent('colour == red')}`)).reason).toBe('BadRequest');
});

test('archived submissions are returned from the archive, dropped ones with the reason', async () => {
  const third = await scene.addNetwork('third');
  const rpc = createEvmRpc({ url: third.url });
  const snapshot = await rpc.call('evm_snapshot', []);
  const [hash = ''] = await submit(third, item());
  await awaitReceipts(rpc, [hash], { timeoutMs: 10_000 });
  await rpc.call('evm_revert', [snapshot]);
  await archive(third, { state: 'dropped', reason: 'the chain was reset' });
  const dropped = await readUntil(hash, 'dropped', third);
  expect(dropped).toMatchObject({ message: 'the chain was reset', settled_at: '2030-01-02T03:04:05Z' });
  expect(dropped.receipt).toBeUndefined();
  const list = await api.request(`${path}?selector=${encodeURIComponent('state == dropped')}`);
  expect(list.json.items).toEqual([dropped]);
});

test.each<[string, Result, number]>([
  ['was dropped, as another attempt may have followed', { state: 'dropped', reason: 'undone' }, 1],
  ['is on the chain is not', { state: 'mined', block: 1, gasUsed: 21_000 }, 0],
])('the cluster is asked for what %s', async (name, result, count) => {
  const network = await scene.addNetwork(`asked-${name.length}`);
  const [hash = ''] = await submit(network, item({ gas_limit: 21_000 }));
  await readUntil(hash, 'mined', network);
  await archive(network, result);
  await eventually(
    () => read(hash, `?network_id=${network.id}`),
    (json) => json.settled_at === '2030-01-02T03:04:05Z',
  );
  const before = kube.requests.length;
  await read(hash, `?network_id=${network.id}`);
  const lists = kube.requests.slice(before).filter(({ verb, kind }) => verb === 'list' && kind === 'Outbox');
  expect(lists).toHaveLength(count);
});

test('what was mined on a chain that the network no longer runs is dropped', async () => {
  const network = await scene.addNetwork('reborn');
  const [hash = ''] = await submit(network, item());
  await archive(network, { state: 'mined', block: 1, gasUsed: 21_000 });
  expect(await readUntil(hash, 'mined', network)).toMatchObject({ block: 1 });
  await scene.reset(network);
  const gone = await readUntil(hash, 'dropped', network);
  expect(gone).toMatchObject({ message: expect.stringContaining('no longer runs') });
  expect(gone).not.toHaveProperty('block');
  const selector = encodeURIComponent(`network_id == ${network.id}`);
  expect((await api.request(`${path}?selector=${selector}`)).json.items).toEqual([gone]);
});

test('a persistent network is asked whether it kept what was mined before', async () => {
  const network = await scene.addNetwork('kept');
  const ref = { namespace: scene.user.namespace, name: 'kept' };
  const [kept = ''] = await submit(network, item({ gas_limit: 21_000 }));
  await readUntil(kept, 'mined', network);
  await archive(network, { state: 'mined', block: 1, gasUsed: 21_000 });
  await kube.patch(networkType, ref, { spec: { persistent: true } });
  await kube.patch(networkType, ref, { status: { enclaveID: 'incarnation-next' } }, 'status');
  expect(await readUntil(kept, 'mined', network)).toMatchObject({ block: 1 });
  const rpc = createEvmRpc({ url: network.url });
  await rpc.call('anvil_rollback', [1]);
  expect(await readUntil(kept, 'dropped', network)).toMatchObject({
    message: expect.stringContaining('no longer runs'),
  });
});

test('what was accepted before the previous chain ended is not looked for on the present one', async () => {
  const network = await scene.addNetwork('later');
  const ref = { namespace: scene.user.namespace, name: 'later' };
  const [hash = ''] = await submit(network, item({ gas_limit: 21_000 }));
  await readUntil(hash, 'mined', network);
  await archive(network, { state: 'mined', block: 1, gasUsed: 21_000 });
  await kube.patch(networkType, ref, { spec: { persistent: true } });
  const previousChain = { enclaveID: 'two', endedAt: '2099-01-02T03:04:05Z', reason: 'reset' };
  await kube.patch(networkType, ref, { status: { enclaveID: 'three', previousChain } }, 'status');
  expect(await readUntil(hash, 'dropped', network)).toMatchObject({
    message: expect.stringContaining('no longer runs'),
  });
});

test('what was mined and undone by a rollback is dropped, also after it was archived', async () => {
  const network = await scene.addNetwork('undone');
  const [hash = ''] = await submit(network, item());
  await readUntil(hash, 'mined', network);
  await archive(network, { state: 'mined', block: 1, gasUsed: 21_000 });
  expect(await readUntil(hash, 'mined', network)).toMatchObject({ block: 1 });
  await createEvmRpc({ url: network.url }).call('anvil_rollback', [1]);
  const undone = await readUntil(hash, 'dropped', network);
  expect(undone).toMatchObject({ message: expect.stringContaining('rolled back') });
  expect(undone).not.toHaveProperty('block');
});

test('an archived transaction that a rollback put back into the pool is open again', async () => {
  const network = await scene.addNetwork('pooled');
  const rpc = createEvmRpc({ url: network.url });
  const [hash = ''] = await submit(network, item());
  await readUntil(hash, 'mined', network);
  await archive(network, { state: 'mined', block: 1, gasUsed: 21_000 });
  const raw = await rpc.call('eth_getRawTransactionByHash', [hash]);
  await rpc.call('anvil_rollback', [1]);
  await rpc.call('evm_setAutomine', [false]);
  await rpc.call('eth_sendRawTransaction', [raw]);
  expect(await readUntil(hash, 'broadcast', network)).not.toHaveProperty('settled_at');
});

test('an archived transaction that is in another block by now is returned with that block', async () => {
  const network = await scene.addNetwork('moved');
  const [hash = ''] = await submit(network, item());
  await readUntil(hash, 'mined', network);
  await archive(network, { state: 'failed', block: 7, gasUsed: 30_000, reason: 'out of gas' });
  // Other networks have a transaction with the same hash.
  const moved = await eventually(
    () => read(hash, `?network_id=${network.id}`),
    (json) => json.settled_at !== undefined,
  );
  expect(moved).toMatchObject({ state: 'mined', block: 1, gas_used: 21_000 });
});

test('a node that is on its way to the block of a transaction does not say that it was undone', async () => {
  let head = 4;
  const node = createServer(async (request, response) => {
    const answer = ({ id, method }: { id: number; method: string }) => {
      if (method === 'anvil_metadata') return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } };
      return { jsonrpc: '2.0', id, result: method === 'eth_blockNumber' ? `0x${head}` : null };
    };
    const body = JSON.parse(await text(request));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
  }).listen(0, '127.0.0.1');
  await once(node, 'listening');
  const { port } = node.address() as AddressInfo;
  const options = { upstream: { host: '127.0.0.1', port }, enclaveID: 'late' };
  const network = await scene.addNetwork('late', options);
  const hash = `0x${'1a'.repeat(32)}`;
  const queue = {
    namespace: scene.user.namespace,
    incarnation: 'late',
    signer: scene.wallet.address,
    network: { name: 'late', uid: network.id, id: network.id },
  };
  const settled = {
    id: 'one',
    first: 0,
    count: 1,
    hashes: hash.slice(2),
    acceptedAt: '2030-01-02T03:04:05Z',
    settledAt: '2030-01-02T03:04:06Z',
    results: packResults([{ state: 'mined', block: 5, gasUsed: 21_000 }]),
  };
  await kube.create(
    outboxType,
    newOutbox(queue, 'archive', { suffix: '-a0', batches: packBatches([settled]) }),
  );
  expect(await readUntil(hash, 'mined', network)).toMatchObject({ block: 5 });
  head = 5;
  expect(await readUntil(hash, 'dropped', network)).toMatchObject({
    message: expect.stringContaining('rolled back'),
  });
  node.close();
});

test('a list continues from page to page through many archives, newest first', async () => {
  const network = await scene.addNetwork('archived');
  const hashes: string[] = [];
  for (let index = 0; index < 12; index++) {
    hashes.push(...(await submit(network, item())));
    await archive(network, { state: 'mined', block: index, gasUsed: 21_000 }, index);
  }
  hashes.push(...(await submit(network, item())));
  const selector = encodeURIComponent(`network_id == ${network.id}`);
  await readUntil(hashes.at(-1) ?? '', 'mined', network);
  const found: string[] = [];
  let cursor = '';
  do {
    const { json } = await api.request(`${path}?selector=${selector}&limit=5${cursor}`);
    found.push(...json.items.map(({ hash }: { hash: string }) => hash));
    cursor = json.metadata.cursor ? `&cursor=${encodeURIComponent(json.metadata.cursor)}` : '';
  } while (cursor);
  expect(found).toEqual(hashes.toReversed());
});

test('a batch stored in parts is found as well', async () => {
  const fourth = await scene.addNetwork('fourth');
  const hashes = await submit(fourth, ...Array.from({ length: 300 }, () => item({ gas_limit: 21_000 })));
  expect(await readUntil(hashes[299]!, 'mined', fourth)).toMatchObject({ network_id: fourth.id });
});

test('the same transaction on two networks is distinguished by network_id', async () => {
  const [fifth, sixth] = await Promise.all([scene.addNetwork('fifth'), scene.addNetwork('sixth')]);
  const fixed = item({ gas_limit: 21_000, max_fee_per_gas: '5000000000', max_priority_fee_per_gas: '1' });
  const [hash = ''] = await submit(fifth, fixed);
  expect(await submit(sixth, fixed)).toEqual([hash]);
  for (const { id } of [fifth, sixth]) {
    const dropped = await eventually(
      () => read(hash, `?network_id=${id}`),
      (json) => json.state === 'mined',
    );
    expect(dropped.network_id).toBe(id);
  }
  const { status, json } = await api.request(`${path}/${hash}`);
  expect(status).toBe(400);
  expect(json.details).toEqual([{ path: 'network_id', message: expect.stringContaining(fifth.id) }]);
});

test('a submission of another workspace looks like one that does not exist', async () => {
  const [hash = ''] = await submit(first, item());
  await readUntil(hash, 'mined', first);
  const others = await api.request(`${path}/${hash}`, { as: 'ben' });
  const unknown = await api.request(`${path}/0x${'12'.repeat(32)}`, { as: 'ben' });
  expect(others.status).toBe(404);
  expect({ ...others.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
  expect((await api.request(path, { as: 'ben' })).json.items).toEqual([]);
});
