import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  custom,
  defineChain,
  http,
  parseEther,
  webSocket,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const { RPC_URL, WS_URL, ADMIN_URL, ADMIN_WS_URL, CHAIN_ID, PRIVATE_KEY } = process.env;
const chain = defineChain({
  id: Number(CHAIN_ID),
  name: 'my-net',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [RPC_URL], webSocket: [WS_URL] } },
});
const account = privateKeyToAccount(PRIVATE_KEY);
const to = '0x00000000000000000000000000000000DeaDBeef';

/** What a wallet injects into a page (EIP-1193). */
const provider = {
  async request({ method, params = [] }) {
    const response = await fetch(RPC_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = await response.json();
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  },
};

const transports = [
  ['HTTP', () => http(RPC_URL)],
  ['HTTP, in batches', () => http(RPC_URL, { batch: true })],
  ['WebSocket', () => webSocket(WS_URL)],
  ['EIP-1193', () => custom(provider)],
];
for (const [name, connect] of transports) {
  test(`sends over ${name} and waits for confirmations`, async () => {
    const transport = connect();
    const client = createPublicClient({ chain, transport, pollingInterval: 1000 });
    const wallet = createWalletClient({ chain, transport, account });
    const hash = await wallet.sendTransaction({ to, value: 1n });
    const { status } = await client.waitForTransactionReceipt({ hash, confirmations: 3 });
    assert.equal(status, 'success');
    assert.ok((await client.getTransactionConfirmations({ hash })) >= 3n);
    await client.transport.getRpcClient?.().then((rpc) => rpc.close());
  });
}

test('the test client changes the chain on the admin URL', async () => {
  const admin = createTestClient({ chain, mode: 'anvil', transport: http(ADMIN_URL) });
  const client = createPublicClient({ chain, transport: http(ADMIN_URL) });
  const snapshot = await admin.snapshot();
  await admin.setBalance({ address: to, value: parseEther('5') });
  assert.equal(await client.getBalance({ address: to }), parseEther('5'));
  await admin.impersonateAccount({ address: to });
  const wallet = createWalletClient({ chain, transport: http(ADMIN_URL), account: to });
  const hash = await wallet.sendTransaction({ to: account.address, value: 1n });
  await client.waitForTransactionReceipt({ hash });
  await admin.revert({ id: snapshot });
  assert.notEqual(await client.getBalance({ address: to }), parseEther('5'));
});

test('the test client mines over the WebSocket of the admin URL', async () => {
  const transport = webSocket(ADMIN_WS_URL);
  const admin = createTestClient({ chain, mode: 'anvil', transport });
  const client = createPublicClient({ chain, transport });
  const before = await client.getBlockNumber({ cacheTime: 0 });
  await admin.mine({ blocks: 3 });
  assert.equal(await client.getBlockNumber({ cacheTime: 0 }), before + 3n);
  await client.transport.getRpcClient().then((rpc) => rpc.close());
});

test('reads a proof by the number of a slot', async () => {
  const client = createPublicClient({ chain, transport: http(RPC_URL) });
  const proof = await client.getProof({ address: to, storageKeys: ['0x0'] });
  assert.equal(proof.storageProof.length, 1);
});
