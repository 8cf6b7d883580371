import { parseEther, type Wallet } from 'ethers';
import { readDefaultKey } from '../lib/accounts.ts';
import { getJson, kubectl } from '../lib/cluster.ts';
import { createHotKey, createNetwork, endpointsOf, type HotKey, reach, remove } from '../lib/networks.ts';
import { call, freshName, until } from '../lib/service.ts';
import { askBeacon, reachBlock, withProvider } from './ethereumChain.ts';
import { minuteMs, stopIdle } from './families.ts';

/** Initcode of a contract that returns 42 from every call. */
const returns42 = '0x600a600c600039600a6000f3602a60005260206000f3';
const receiver = '0x00000000000000000000000000000000000000B1';

let key: HotKey;
let wallet: Wallet;
beforeAll(async () => {
  key = await createHotKey();
  wallet = await readDefaultKey();
});

async function start(chain: object): Promise<string> {
  const { status, body } = await createNetwork({
    privateKeyRef: { name: key.name },
    blockTime: 2,
    ...chain,
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  await reach(body.id, 'Operational', 4 * minuteMs);
  return body.id;
}

async function maintain(id: string, action: string, nonce: number): Promise<void> {
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  const spec = { ...body.spec, maintenanceRequest: { action, nonce } };
  const { status } = await call('PUT', `/v1alpha/networks/${id}`, { body: { name: body.name, spec } });
  expect(status).toBe(200);
  await until(
    `${action} ${nonce}`,
    () => call('GET', `/v1alpha/networks/${id}`),
    ({ body: { status } }) => status?.observedMaintenanceNonce === nonce && status.state === 'Operational',
    5 * minuteMs,
  );
}

describe('one participant', () => {
  let id: string;
  let urls: Record<string, string>;

  beforeAll(async () => {
    id = await start({ participants: [{ elType: 'geth', clType: 'prysm' }], gasLimit: 25_000_000 });
    urls = await endpointsOf(id);
  });
  afterAll(() => remove(id));

  it("mines transactions submitted with the caller's default key as soon as it is Operational", async () => {
    const { address } = wallet;
    const items = [{ from: address, to: receiver, value: '0', data: '0x' }];
    const { status, body } = await call('POST', '/transaction/v1alpha1/transaction/submit', {
      body: { transactions_by_network: { [id]: items } },
    });
    expect([status, body]).toEqual([202, { tx_hashes_by_network: { [id]: [expect.any(String)] } }]);
    const [hash] = body.tx_hashes_by_network[id];
    const path = `/transaction/v1alpha1/transaction/submissions/${hash}?network_id=${id}`;
    const { body: submission } = await until(
      `${hash} in a block`,
      () => call('GET', path),
      (answer) => answer.body.state === 'mined',
    );
    expect(submission.receipt).toMatchObject({ transactionHash: hash, status: '0x1' });
  });

  it('has an endpoint for each client', () => {
    expect(Object.keys(urls).sort()).toEqual(['admin', 'admin-ws', 'cl-1', 'el-1', 'rpc', 'verify', 'ws']);
  });

  it('produces blocks from the genesis that the spec describes', async () => {
    await reachBlock(urls.rpc, 2);
    const { body } = await call('GET', `/v1alpha/networks/${id}`);
    const genesis = await askBeacon(urls['cl-1'], '/eth/v1/beacon/genesis');
    expect(Number(genesis.genesis_time) * 1_000).toBe(Date.parse(body.status.genesis.at));
    const validators = await askBeacon(urls['cl-1'], '/eth/v1/beacon/states/genesis/validators');
    expect(validators).toHaveLength(64);
    const config = await askBeacon(urls['cl-1'], '/eth/v1/config/spec');
    expect(config).toMatchObject({ SECONDS_PER_SLOT: '2', DEPOSIT_CHAIN_ID: body.status.chainID });
    await withProvider(urls['el-1'], async (provider) => {
      expect((await provider.getBlock(0))?.gasLimit).toBe(25_000_000n);
      expect(await provider.getBalance(key.wallet.address, 0)).toBe(parseEther('1000000'));
      expect(await provider.getCode('0xcA11bde05977b3631167028862bE2a173976CA11')).not.toBe('0x');
    });
  });

  it('runs contracts deployed through the gateway', async () => {
    await withProvider(urls.rpc, async (provider) => {
      const wallet = key.wallet.connect(provider);
      const receipt = await (await wallet.sendTransaction({ data: returns42 })).wait();
      expect(receipt?.status).toBe(1);
      expect(BigInt(await provider.call({ to: receipt?.contractAddress ?? '' }))).toBe(42n);
      await (await wallet.sendTransaction({ to: receiver, value: 1n })).wait();
      expect(await provider.getBalance(receiver)).toBe(1n);
    });
  });

  it('mounts its keys as files and only in its own pods', async () => {
    const selector = `slipway.dev/network=${id}`;
    const { items } = await getJson('pods', '--selector', selector);
    expect(items).toHaveLength(3);
    expect(JSON.stringify(items)).not.toMatch(/"(SECRET|KEY|MNEMONIC)[A-Z_]*"/);
    const [secret] = (await getJson('secrets', '--selector', selector)).items;
    for (const value of Object.values<string>(secret.data)) {
      expect(JSON.stringify(items)).not.toContain(Buffer.from(value, 'base64').toString());
    }
  });

  it('Restart keeps the chain', async () => {
    const before = await withProvider(urls.rpc, (provider) => provider.getBlock('latest'));
    await maintain(id, 'Restart', 1);
    await reachBlock(urls.rpc, (before?.number ?? 0) + 2);
    await withProvider(urls.rpc, async (provider) => {
      expect((await provider.getBlock(before?.number ?? 0))?.hash).toBe(before?.hash);
      expect(await provider.getBalance(receiver)).toBe(1n);
    });
  });

  it('ResetState creates a new genesis', async () => {
    const before = await askBeacon(urls['cl-1'], '/eth/v1/beacon/genesis');
    await maintain(id, 'ResetState', 2);
    const after = await askBeacon(urls['cl-1'], '/eth/v1/beacon/genesis');
    expect(Number(after.genesis_time)).toBeGreaterThan(Number(before.genesis_time));
    await reachBlock(urls.rpc, 1);
    await withProvider(urls.rpc, async (provider) => {
      expect(await provider.getBalance(receiver)).toBe(0n);
    });
  });

  it('begins a new chain when its only execution client loses its data', async () => {
    const { body: before } = await call('GET', `/v1alpha/networks/${id}`);
    const selector = `slipway.dev/network=${id},slipway.dev/part=el-1`;
    const { code } = await kubectl(['delete', 'pods', '--selector', selector, '--wait=true']);
    expect(code).toBe(0);
    const { body: after } = await until(
      'the next chain',
      () => call('GET', `/v1alpha/networks/${id}`),
      ({ body: { status } }) =>
        status?.state === 'Operational' && status.enclaveID !== before.status.enclaveID,
      5 * minuteMs,
    );
    expect(after.status.previousChain).toMatchObject({
      enclaveID: before.status.enclaveID,
      reason: expect.stringContaining('the pod of el-1 was replaced'),
    });
    expect(Date.parse(after.status.genesis.at)).toBeGreaterThan(Date.parse(before.status.genesis.at));
    await reachBlock(urls.rpc, 2);
  });

  it('deletes all its pods when idle, and the next call starts a new chain', async () => {
    await withProvider(urls.rpc, async (provider) => {
      const wallet = key.wallet.connect(provider);
      await (await wallet.sendTransaction({ to: receiver, value: 1n })).wait();
    });
    const before = await askBeacon(urls['cl-1'], '/eth/v1/beacon/genesis');
    await stopIdle(id);
    expect((await getJson('pods', '--selector', `slipway.dev/network=${id}`)).items).toEqual([]);
    const after = await until(
      'the beacon node of the next incarnation',
      () => askBeacon(urls['cl-1'], '/eth/v1/beacon/genesis').catch(() => undefined),
      (genesis) => genesis !== undefined,
    );
    expect(Number(after.genesis_time)).toBeGreaterThan(Number(before.genesis_time));
    expect(after.genesis_validators_root).toBe(before.genesis_validators_root);
    await reachBlock(urls.rpc, 1);
    await withProvider(urls.rpc, async (provider) => {
      expect(await provider.getBalance(receiver)).toBe(0n);
      expect(await provider.getBalance(key.wallet.address, 0)).toBe(parseEther('1000000'));
    });
  });
});

describe('a persistent network', () => {
  let id: string;
  let url: string | undefined;

  beforeAll(async () => {
    const ethereum = { privateKeyRef: { name: key.name }, blockTime: 2, participants: [{}] };
    const spec = { persistent: true, chain: { type: 'Ethereum', ethereum } };
    const { body } = await call('POST', '/v1alpha/networks', { body: { name: freshName('keep'), spec } });
    id = body.id;
    await reach(id, 'Operational', 4 * minuteMs);
    url = (await endpointsOf(id)).rpc;
  });
  afterAll(() => remove(id));

  it('recovers with its history when all its pods are lost', async () => {
    await reachBlock(url, 3);
    const before = await withProvider(url, (provider) => provider.getBlock(3));
    const selector = `slipway.dev/network=${id}`;
    const { code } = await kubectl(['delete', 'pods', '--selector', selector, '--wait=true']);
    expect(code).toBe(0);
    const last = await reachBlock(url, 4);
    await reachBlock(url, last + 2);
    const after = await withProvider(url, (provider) => provider.getBlock(3));
    expect(after?.hash).toBe(before?.hash);
  });
});

describe('a spec that cannot run', () => {
  it('is rejected with the paths of the invalid fields', async () => {
    const { status, body } = await createNetwork({
      privateKeyRef: { name: key.name },
      validatorCount: 3,
      participants: [
        { elImage: 'evil.example/geth:1', clExtraArgs: '--verbosity debug --datadir /x' },
        { elExtraArgs: '--bootnodes=enode://a' },
      ],
    });
    expect(status).toBe(400);
    expect(body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'spec.chain.ethereum.participants[0].clExtraArgs',
      'spec.chain.ethereum.participants[0].elImage',
      'spec.chain.ethereum.participants[1].elExtraArgs',
      'spec.chain.ethereum.validatorCount',
    ]);
    expect(body.message).toContain('--datadir');
  });

  it('reports which image cannot be pulled', async () => {
    const participants = [{ elImage: 'ethereum/client-go:no-such-tag' }];
    const { body } = await createNetwork({ privateKeyRef: { name: key.name }, participants });
    const { status } = await reach(body.id, 'Error', 3 * minuteMs);
    expect(status.message).toMatch(/ethereum\/client-go:no-such-tag cannot be pulled/);
    await remove(body.id);
  });
});
