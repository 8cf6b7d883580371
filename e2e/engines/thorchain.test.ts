import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { SigningStargateClient, StargateClient } from '@cosmjs/stargate';
import { WebSocket } from 'ws';
import { endpointsOf, reach, remove } from '../lib/networks.ts';
import { call, until } from '../lib/service.ts';
import {
  ask,
  change,
  createSecret,
  losePods,
  maintain,
  minuteMs,
  start,
  stopIdle,
  submitEvm,
  untilNothingIsLeft,
} from './families.ts';

const receiver = 'tthor1z63f3mzwv3g75az80xwmhrawdqcjpaekk0kd54';
const fee = { amount: [], gas: '500000' };
/** The flat fee of each THORChain transaction, regardless of gas: the constant NativeTransactionFee, 0.02 RUNE. */
const nativeFee = 2_000_000n;
const accountBalance = 700_000_000_000n;
const settings = {
  accountBalance: String(accountBalance),
  bondAmount: '45600000000',
  blockMaxBytes: 300_000,
};

let wallet: DirectSecp256k1Wallet;
let address: string;
let keyName: string;
beforeAll(async () => {
  const key = randomBytes(32);
  wallet = await DirectSecp256k1Wallet.fromKey(key, 'tthor');
  address = (await wallet.getAccounts())[0]?.address ?? '';
  keyName = await createSecret(key);
});

// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing member fails with a clear message
async function get(url: string): Promise<any> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function balanceOf(url: string | undefined, holder: string): Promise<bigint> {
  const client = await StargateClient.connect(url ?? '');
  const { amount } = await client.getBalance(holder, 'rune');
  client.disconnect();
  return BigInt(amount);
}

async function send(url: string | undefined, amount: bigint) {
  const client = await SigningStargateClient.connectWithSigner(url ?? '', wallet, {
    broadcastPollIntervalMs: 300,
  });
  const coins = [{ denom: 'rune', amount: String(amount) }];
  const sent = await client.sendTokens(address, receiver, coins, fee, 'from slipway');
  client.disconnect();
  return sent;
}

describe('a network', () => {
  let id: string;
  let urls: Record<string, string>;

  beforeAll(async () => {
    id = await start('Thorchain', { ...settings, privateKeyRef: { name: keyName } });
    urls = await endpointsOf(id);
  });

  it('has an endpoint for each service, and a chain id', async () => {
    expect(Object.keys(urls).sort()).toEqual(['admin', 'admin-ws', 'grpc', 'rest', 'rpc', 'ws']);
    const { status } = await reach(id, 'Operational');
    expect(status.chainID).toMatch(/^thorchain-[0-9a-f]{8}$/);
    expect(status.message).toContain('without Bifrost');
    const { result } = await get(`${urls.rpc}/status`);
    expect(result.node_info.network).toBe(status.chainID);
  });

  it('has the bond, the balance and the consensus parameters of the spec', async () => {
    const [node, ...others] = await get(`${urls.rest}/thorchain/nodes`);
    expect(others).toEqual([]);
    expect(node).toMatchObject({ status: 'Active', total_bond: settings.bondAmount, version: '3.0.0' });
    expect(node.node_operator_address).toBe(address);
    const { balances } = await get(`${urls.rest}/cosmos/bank/v1beta1/balances/${address}`);
    expect(balances).toEqual([{ denom: 'rune', amount: settings.accountBalance }]);
    const { params } = await get(`${urls.rest}/cosmos/consensus/v1/params`);
    expect(params.block).toEqual({ max_bytes: String(settings.blockMaxBytes), max_gas: '-1' });
  });

  it('transfers RUNE sent with cosmjs', async () => {
    const sent = await send(urls.rpc, 1_000_000n);
    expect(sent.code).toBe(0);
    expect(await balanceOf(urls.rpc, receiver)).toBe(1_000_000n);
    expect(await balanceOf(urls.rpc, address)).toBe(accountBalance - 1_000_000n - nativeFee);
    const { tx_response } = await get(`${urls.rest}/cosmos/tx/v1beta1/txs/${sent.transactionHash}`);
    expect(tx_response).toMatchObject({ code: 0, height: String(sent.height) });
  });

  it('answers calls and announces new blocks over WebSocket', async () => {
    expect(await balanceOf(urls.ws, receiver)).toBe(1_000_000n);
    const socket = new WebSocket(urls.ws ?? '');
    await once(socket, 'open');
    const query = "tm.event='NewBlock'";
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query } }));
    const heights: number[] = [];
    const seen = Promise.withResolvers<void>();
    socket.on('message', (data) => {
      const height = JSON.parse(String(data)).result?.data?.value?.block?.header?.height;
      if (height !== undefined) heights.push(Number(height));
      if (heights.length === 2) seen.resolve();
    });
    await seen.promise;
    expect(heights[1]).toBe((heights[0] ?? 0) + 1);
    socket.close();
  });

  it('answers gRPC-Web', async () => {
    const field = (tag: number, text: string) => Buffer.from([tag, text.length, ...Buffer.from(text)]);
    const message = Buffer.concat([field(0x0a, receiver), field(0x12, 'rune')]);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    const response = await fetch(`${urls.grpc}/cosmos.bank.v1beta1.Query/Balance`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: Buffer.concat([head, message]),
    });
    const answer = Buffer.from(await response.arrayBuffer()).toString('latin1');
    expect(answer).toContain('1000000');
    expect(answer).toMatch(/grpc-status: ?0/i);
  });

  it('does not expose endpoints that connect to other nodes', async () => {
    expect((await fetch(`${urls.rpc}/dial_seeds?seeds=[]`)).status).toBe(404);
    expect((await fetch(`${urls.admin}/dial_peers?peers=[]`)).status).toBe(404);
  });

  it("Restart keeps the chain and the validator's keys", async () => {
    const [node] = await get(`${urls.rest}/thorchain/nodes`);
    const before = await reach(id, 'Operational');
    const after = await maintain(id, 'Restart', 1);
    expect(after.status.enclaveID).toBe(before.status.enclaveID);
    expect(await balanceOf(urls.rpc, receiver)).toBe(1_000_000n);
    expect((await get(`${urls.rest}/thorchain/nodes`))[0].node_address).toBe(node.node_address);
    expect((await send(urls.rpc, 1n)).code).toBe(0);
  });

  it('ResetState returns to the genesis', async () => {
    await maintain(id, 'ResetState', 2);
    expect(await balanceOf(urls.rpc, receiver)).toBe(0n);
    expect(await balanceOf(urls.rpc, address)).toBe(accountBalance);
  });

  it('stops when idle and starts a new chain at the next call', async () => {
    expect((await send(urls.rpc, 9n)).code).toBe(0);
    await stopIdle(id);
    const [node] = await get(`${urls.rest}/thorchain/nodes`);
    expect(node.total_bond).toBe(settings.bondAmount);
    expect(await balanceOf(urls.rpc, receiver)).toBe(0n);
  });

  it('applies changed consensus parameters from the spec and reports their effect', async () => {
    const { status } = await call('GET', `/v1alpha/networks/${id}`).then(({ body }) => body);
    const edit = ({ chain }: { chain: { thorchain: object } }) => ({
      chain: { ...chain, thorchain: { ...chain.thorchain, blockMaxGas: 30_000_000 } },
    });
    const after = await change(id, edit, ({ chainSpecHash }) => chainSpecHash !== status.chainSpecHash);
    expect(after.status.message).toMatch(/blockMaxGas .*keeps every transaction out/);
    const { params } = await get(`${urls.rest}/cosmos/consensus/v1/params`);
    expect(params.block.max_gas).toBe('30000000');
  });

  it('rejects EVM transactions', async () => {
    const { status, body } = await submitEvm(id);
    expect(status).toBe(400);
    expect(body.message).toContain('Thorchain networks do not accept EVM transactions');
  });

  it('leaves nothing behind when it is deleted', async () => {
    await remove(id);
    await untilNothingIsLeft(id);
  });
});

it('a persistent network keeps its chain when its pod is lost', async () => {
  const id = await start('Thorchain', { privateKeyRef: { name: keyName } }, { persistent: true });
  const { rpc, rest } = await endpointsOf(id);
  await send(rpc, 5n);
  const [node] = await get(`${rest}/thorchain/nodes`);
  await losePods(id);
  await until(
    'the chain with its history',
    () => balanceOf(rpc, receiver).catch(() => 0n),
    (balance) => balance === 5n,
    2 * minuteMs,
  );
  expect((await get(`${rest}/thorchain/nodes`))[0].node_address).toBe(node.node_address);
  await send(rpc, 5n);
  await remove(id);
});

const rejected: [string, object, string, RegExp][] = [
  ['a fork', { forking: { enabled: true } }, 'spec.chain.thorchain.forking', /another address prefix/],
  ['an arbitrary image', { image: 'evil/thornode:1' }, 'spec.chain.thorchain.image', /not allowed/],
  ['a block size that is too small', { blockMaxBytes: 1 }, 'spec.chain.thorchain.blockMaxBytes', /at least/],
];

it.each(rejected)('rejects %s', async (_reason, chain, path, message) => {
  const { status, body } = await ask('Thorchain', chain);
  expect([status, body.details]).toEqual([400, [{ path, message: expect.stringMatching(message) }]]);
});
