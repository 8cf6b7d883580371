import { JsonRpcProvider, parseEther } from 'ethers';
import { chainTypes, layer2Types } from '../core/api/resources/chainSpecs.ts';
import { getJson, kubectl } from './lib/cluster.ts';
import { createHotKey, createNetwork, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { call, freshName, until } from './lib/service.ts';

const receiver = '0x00000000000000000000000000000000000000B1';

let key: HotKey;
beforeAll(async () => {
  key = await createHotKey();
});

async function pay(url: string | undefined): Promise<void> {
  const provider = new JsonRpcProvider(url);
  const sent = await key.wallet.connect(provider).sendTransaction({ to: receiver, value: parseEther('1') });
  await sent.wait();
  provider.destroy();
}

async function balanceAt(url: string | undefined): Promise<bigint> {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
  const balance = await provider.getBalance(receiver);
  provider.destroy();
  return balance;
}

/** Requests maintenance with PUT and waits until its nonce is observed. */
async function maintain(id: string, action: string, nonce: number) {
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  const spec = { ...body.spec, maintenanceRequest: { action, nonce } };
  const { status } = await call('PUT', `/v1alpha/networks/${id}`, { body: { name: body.name, spec } });
  expect(status).toBe(200);
  const ask = () => call('GET', `/v1alpha/networks/${id}`);
  const isDone = (answer: { body: { status?: { observedMaintenanceNonce?: number; state?: string } } }) =>
    answer.body.status?.observedMaintenanceNonce === nonce && answer.body.status.state === 'Operational';
  return (await until(`${action} ${nonce}`, ask, isDone)).body;
}

describe.each([
  ['a network', {}],
  ['a persistent network', { persistent: true }],
])('maintenance of %s', (_reason, extra) => {
  let id: string;
  let url: string | undefined;

  beforeAll(async () => {
    const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: key.name } } };
    const { status, body } = await call('POST', '/v1alpha/networks', {
      body: { name: freshName('keep'), spec: { ...extra, chain } },
    });
    expect(status).toBe(201);
    id = body.id;
    await reach(id, 'Operational');
    url = (await endpointsOf(id)).rpc;
    await pay(url);
  });

  afterAll(() => remove(id));

  it('Restart keeps the data', async () => {
    const before = await reach(id, 'Operational');
    const after = await maintain(id, 'Restart', 7);
    expect(await balanceAt(url)).toBe(parseEther('1'));
    expect(after.status.enclaveID).toBe(before.status.enclaveID);
    await pay(url);
    expect(await balanceAt(url)).toBe(parseEther('2'));
  });

  it('ResetState returns to the genesis and keeps the URL', async () => {
    const after = await maintain(id, 'ResetState', 8);
    expect(await balanceAt(url)).toBe(0n);
    expect(after.status.reset).toEqual({ action: 'ResetState', nonce: 8 });
  });

  it('Resync of a network that is not a fork gets 400 over REST', async () => {
    const { body: network } = await call('GET', `/v1alpha/networks/${id}`);
    const spec = { ...network.spec, maintenanceRequest: { action: 'Resync', nonce: 9 } };
    const { status, body } = await call('PUT', `/v1alpha/networks/${id}`, { body: { spec } });
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: 'spec.maintenanceRequest.action' }]);
  });

  it('Resync of a network that is not a fork is rejected with a status message when requested with kubectl', async () => {
    const { body: network } = await call('GET', `/v1alpha/networks/${id}`);
    const patch = JSON.stringify({ spec: { maintenanceRequest: { action: 'Resync', nonce: 9 } } });
    const args = ['patch', 'networks.slipway.dev', network.name, '--type=merge', '--patch', patch];
    expect((await kubectl(args)).code).toBe(0);
    const ask = () => call('GET', `/v1alpha/networks/${id}`);
    const isDone = ({ body }: Awaited<ReturnType<typeof ask>>) => body.status?.observedMaintenanceNonce === 9;
    const { body } = await until('the refusal', ask, isDone);
    expect(body.status.message).toMatch(/Resync is for forked networks/);
  });
});

it('a persistent network keeps its data when its pod is lost', async () => {
  const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: key.name } } };
  const { body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('lasting'), spec: { persistent: true, chain } },
  });
  await reach(body.id, 'Operational');
  const { rpc } = await endpointsOf(body.id);
  await pay(rpc);
  const selector = `slipway.dev/network=${body.id}`;
  const [previous] = (await getJson('pods', '--selector', selector)).items;
  await kubectl(['delete', 'pod', previous.metadata.name, '--wait=true']);
  await until(
    'a new ready pod',
    () => getJson('pods', '--selector', selector),
    ({ items }) =>
      items.length === 1 &&
      items[0].metadata.uid !== previous.metadata.uid &&
      items[0].status.containerStatuses?.[0]?.ready === true,
  );
  expect(await balanceAt(rpc)).toBe(parseEther('1'));
  await remove(body.id);
});

describe('every EVM chain type', () => {
  it.each(layer2Types)('%s runs, with Multicall3 and the funded key', async (type) => {
    const chain = { type, [chainTypes[type].member]: { privateKeyRef: { name: key.name } } };
    const { status, body } = await call('POST', '/v1alpha/networks', {
      body: { name: freshName('l2'), spec: { chain } },
    });
    expect(status).toBe(201);
    await reach(body.id, 'Operational');
    const { rpc } = await endpointsOf(body.id);
    await pay(rpc);
    const provider = new JsonRpcProvider(rpc);
    expect((await provider.getCode('0xcA11bde05977b3631167028862bE2a173976CA11')).length).toBeGreaterThan(
      100,
    );
    provider.destroy();
    await remove(body.id);
  });
});

it('a changed chain spec provisions a new chain and changes the spec hash', async () => {
  const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
  const before = await reach(body.id, 'Operational');
  const chainID = String(5_000_000_000 + (Date.now() % 1_000_000_000));
  const ethereum = { privateKeyRef: { name: key.name }, gasLimit: 12_000_000, chainID };
  const put = await call('PUT', `/v1alpha/networks/${body.id}`, {
    body: { name: body.name, spec: { chain: { type: 'Ethereum', ethereum } } },
  });
  expect(put.headers.get('warning')).toMatch(/^299 - "spec\.chain\.ethereum\.chainID starts a new chain/);
  const { body: after } = await until(
    'the new hash',
    () => call('GET', `/v1alpha/networks/${body.id}`),
    (answer) =>
      answer.body.status?.state === 'Operational' &&
      answer.body.status.chainSpecHash !== before.status.chainSpecHash,
  );
  expect(after.status.message).toMatch(/the chain before this one ended at block 0 .*chainID changed/);
  const provider = new JsonRpcProvider(after.status.endpoints.rpc);
  expect((await provider.getBlock(0))?.gasLimit).toBe(12_000_000n);
  provider.destroy();
  await remove(body.id);
});

it('a running engine takes over block time and gas limit, and the chain continues', async () => {
  const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
  const before = await reach(body.id, 'Operational');
  const { rpc } = await endpointsOf(body.id);
  const paid = await balanceAt(rpc);
  await pay(rpc);
  const ethereum = { privateKeyRef: { name: key.name }, blockTime: 1, gasLimit: 12_000_000 };
  const put = await call('PUT', `/v1alpha/networks/${body.id}`, {
    body: { name: body.name, spec: { chain: { type: 'Ethereum', ethereum } } },
  });
  expect(put.headers.get('warning')).toBeNull();
  const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 });
  const isTakenOver = (block: { number: number; gasLimit: bigint } | null) =>
    block !== null && block.number > 3 && block.gasLimit === 12_000_000n;
  await until('blocks with the new limit', () => provider.getBlock('latest'), isTakenOver);
  provider.destroy();
  expect((await balanceAt(rpc)) - paid).toBe(parseEther('1'));
  const { status } = await reach(body.id, 'Operational');
  expect(status.enclaveID).toBe(before.status.enclaveID);
  await remove(body.id);
});

describe('a network that is not persistent', () => {
  let id: string;
  let name: string;
  let url: string | undefined;
  const statusOf = async () => (await getJson('bnet', name)).status;

  beforeAll(async () => {
    const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
    ({ id, name } = body);
    await reach(id, 'Operational');
    url = (await endpointsOf(id)).rpc;
    await pay(url);
  });

  afterAll(() => remove(id));

  it('stops 24 h after its last wake-up, and its pod is deleted', async () => {
    const lastWakeUpAt = new Date(Date.now() - 25 * 3_600_000).toISOString();
    const patch = JSON.stringify({ status: { lastWakeUpAt } });
    await kubectl(['patch', 'bnet', name, '--subresource=status', '--type=merge', '--patch', patch]);
    const status = await until('Stopped', statusOf, ({ state }) => state === 'Stopped');
    expect(status.lastStoppedAt).toMatch(/Z$/);
    expect((await getJson('pods', '--selector', `slipway.dev/network=${id}`)).items).toEqual([]);
  });

  it('wakes at the first call to its endpoint, which is held until it can be answered', async () => {
    expect(await balanceAt(url)).toBe(0n);
    const status = await until('Operational', statusOf, ({ state }) => state === 'Operational');
    expect(Date.now() - Date.parse(status.lastWakeUpAt)).toBeLessThan(3_600_000);
    expect(status.lastStoppedAt).toBeDefined();
  });
});
