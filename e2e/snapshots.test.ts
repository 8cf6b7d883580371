import { JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { getJson, kubectl } from './lib/cluster.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { call, freshName, until } from './lib/service.ts';

/** A network that pays, is snapshotted, pays again, goes back, and lives on in clones when it is gone. */
let key: HotKey;
let id: string;
let name: string;
let chainId: bigint;
const before = freshName('before');
const viaKubectl = freshName('kubectl');
const first = Wallet.createRandom().address;
const second = Wallet.createRandom().address;
const providers: JsonRpcProvider[] = [];
const clones: string[] = [];

async function connect(network: string): Promise<JsonRpcProvider> {
  const { rpc } = await endpointsOf(network);
  const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 });
  providers.push(provider);
  return provider;
}

async function pay(network: string, to: string): Promise<void> {
  const wallet = key.wallet.connect(await connect(network));
  await (await wallet.sendTransaction({ to, value: parseEther('1') })).wait();
}

async function balances(network: string): Promise<bigint[]> {
  const provider = await connect(network);
  return Promise.all([first, second].map((address) => provider.getBalance(address)));
}

const chain = () => ({ type: 'Ethereum', ethereum: { privateKeyRef: { name: key.name } } });
const ether = parseEther('1');

/** Waits for the chain after `enclaveID`. */
async function nextChain(network: string, enclaveID: string) {
  const { body } = await until(
    'the next chain',
    () => call('GET', `/v1alpha/networks/${network}`),
    ({ body: { status } }) => status.state === 'Operational' && status.enclaveID !== enclaveID,
  );
  return body;
}

beforeAll(async () => {
  key = await createHotKey();
  name = freshName('snap');
  const { body } = await call('POST', '/v1alpha/networks', { body: { name, spec: { chain: chain() } } });
  id = body.id;
  await reach(id, 'Operational');
  await pay(id, first);
  chainId = (await (await connect(id)).getNetwork()).chainId;
});
afterAll(async () => {
  for (const provider of providers) provider.destroy();
  await Promise.all([id, ...clones].map((network) => remove(network)));
  await kubectl(['delete', 'bsnap', before, viaKubectl]);
});

it('a revert brings balances back, under the same chain id and URLs', async () => {
  const taken = await call('POST', `/v1alpha/networks/${id}/snapshots`, { body: { name: before } });
  expect([taken.status, taken.body.status?.state]).toEqual([201, 'Ready']);
  await pay(id, second);
  expect(await balances(id)).toEqual([ether, ether]);
  const urls = await endpointsOf(id);
  const { body: network } = await call('GET', `/v1alpha/networks/${id}`);

  const path = `/v1alpha/networks/${id}/snapshots/${taken.body.id}`;
  expect((await call('POST', `${path}/revert`)).status).toBe(200);
  const { status } = await nextChain(id, network.status.enclaveID);
  expect(status).toMatchObject({ from: { snapshot: before }, chainID: String(chainId) });
  expect(status.previousChain.enclaveID).toBe(network.status.enclaveID);
  expect(await endpointsOf(id)).toEqual(urls);
  expect(await balances(id)).toEqual([ether, 0n]);
  // The sender queue begins with the nonces of the snapshot.
  await pay(id, second);
  expect(await balances(id)).toEqual([ether, ether]);
  expect((await call('DELETE', path)).status).toBe(409);
});

it('a chain of a killed process begins again from the snapshot', async () => {
  const { body: network } = await call('GET', `/v1alpha/networks/${id}`);
  const pods = await getJson('pods', '--selector', `slipway.dev/network=${id}`);
  await kubectl(['delete', 'pod', pods.items[0].metadata.name, '--grace-period=0', '--force']);
  await nextChain(id, network.status.enclaveID);
  expect(await balances(id)).toEqual([ether, 0n]);
});

it('kubectl takes a snapshot, reverts to it, and prints its columns', async () => {
  await pay(id, second);
  const manifest = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Snapshot',
    metadata: { name: viaKubectl },
    spec: { network: name },
  };
  expect(await kubectl(['apply', '-f', '-'], JSON.stringify(manifest))).toMatchObject({ code: 0 });
  expect(
    await kubectl(['wait', '--for=condition=Ready', `bsnap/${viaKubectl}`, '--timeout=60s']),
  ).toMatchObject({ code: 0 });
  const { stdout } = await kubectl(['get', 'bsnap', viaKubectl]);
  expect(stdout).toMatch(/NAME\s+NETWORK\s+STATE\s+BLOCK\s+BYTES\s+AGE/);
  const { body: network } = await call('GET', `/v1alpha/networks/${id}`);
  const patch = JSON.stringify({ spec: { from: { snapshot: viaKubectl } } });
  const { code, stderr } = await kubectl(['patch', 'bnet', name, '--type=merge', '-p', patch]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('spec.from.snapshot starts a new chain')]);
  await nextChain(id, network.status.enclaveID);
  expect(await balances(id)).toEqual([ether, ether]);
});

it('a clone runs beside its original, and another one begins when the original is gone', async () => {
  const start = async (spec: object) => {
    const { status, body } = await call('POST', '/v1alpha/networks', {
      body: { name: freshName('copy'), spec: { from: { snapshot: before }, ...spec } },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    clones.push(body.id);
    await reach(body.id, 'Operational');
    return body.id as string;
  };
  const beside = await start({ chain: chain() });
  expect(await balances(beside)).toEqual([ether, 0n]);
  expect((await (await connect(beside)).getNetwork()).chainId).toBe(chainId);
  await remove(id);
  const other = { ...chain(), ethereum: { ...chain().ethereum, chainID: '987654321' } };
  const later = await start({ chain: other, persistent: true });
  expect(await balances(later)).toEqual([ether, 0n]);
  expect((await (await connect(later)).getNetwork()).chainId).toBe(987_654_321n);
  await pay(later, second);
  expect(await balances(later)).toEqual([ether, ether]);
});

it('a network that does not run on anvil has no snapshots, and the answer says why', async () => {
  const spec = { from: { snapshot: before }, chain: { type: 'Solana', solana: {} } };
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('sol'), spec },
  });
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('use an EVM network that runs on anvil'),
  ]);
});
