import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { BrowserProvider, ContractFactory, JsonRpcProvider, Wallet, WebSocketProvider } from 'ethers';

const { RPC_URL, WS_URL, ADMIN_URL, ADMIN_WS_URL, PRIVATE_KEY } = process.env;
const to = '0x00000000000000000000000000000000000000A5';

/** What a wallet injects into a page (EIP-1193), with the methods that only read or send. */
const injected = {
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

/** Remembers which requests of the provider are not answered yet. */
function watched(provider) {
  const pending = new Set();
  const send = provider.send.bind(provider);
  provider.send = (...request) => {
    const answer = send(...request);
    const settled = answer.then(
      () => pending.delete(settled),
      () => pending.delete(settled),
    );
    pending.add(settled);
    return answer;
  };
  return Object.assign(provider, { pending });
}

/** ethers unsubscribes after the answer that it waited for, and does not wait for the end of that. */
async function end(provider) {
  while ((await provider.listenerCount()) > 0) await setImmediate();
  await setImmediate();
  while (provider.pending.size > 0) await Promise.all(provider.pending);
  await provider.destroy();
}

const polling = { pollingInterval: 1000 };
const providers = [
  ['HTTP', () => new JsonRpcProvider(RPC_URL, undefined, polling)],
  ['WebSocket', () => new WebSocketProvider(WS_URL)],
  ['EIP-1193', () => new BrowserProvider(injected, undefined, polling)],
];
for (const [name, connect] of providers) {
  test(`sends over ${name} and waits for confirmations`, async () => {
    const provider = watched(connect());
    const sent = await new Wallet(PRIVATE_KEY, provider).sendTransaction({ to, value: 1n });
    const receipt = await sent.wait(3);
    assert.ok((await receipt.confirmations()) >= 3);
    await end(provider);
  });
}

test('deploys a contract and calls it', async () => {
  const provider = new JsonRpcProvider(RPC_URL);
  // Answers 7.
  const factory = new ContractFactory(
    [],
    '0x69600760005260206000f3600052600a6016f3',
    new Wallet(PRIVATE_KEY, provider),
  );
  const contract = await factory.deploy();
  await contract.waitForDeployment();
  assert.equal(BigInt(await provider.call({ to: await contract.getAddress() })), 7n);
  provider.destroy();
});

test('hears of new blocks over WebSocket', async () => {
  const provider = watched(new WebSocketProvider(WS_URL));
  const heard = new Promise((resolve) => provider.on('block', resolve));
  await new Wallet(PRIVATE_KEY, provider).sendTransaction({ to, value: 1n });
  assert.ok((await heard) > 0);
  await provider.off('block');
  await end(provider);
});

test('acts for an account without its key, and takes it back, on the admin URL', async () => {
  const provider = new JsonRpcProvider(ADMIN_URL, undefined, { cacheTimeout: -1 });
  const snapshot = await provider.send('evm_snapshot', []);
  await provider.send('anvil_setBalance', [to, '0xde0b6b3a7640000']);
  await provider.send('anvil_impersonateAccount', [to]);
  await (await (await provider.getSigner(to)).sendTransaction({ to, value: 1n })).wait();
  assert.equal(await provider.getTransactionCount(to), 1);
  assert.equal(await provider.send('evm_revert', [snapshot]), true);
  assert.equal(await provider.getTransactionCount(to), 0);
  provider.destroy();
});

test('mines over the WebSocket of the admin URL', async () => {
  const provider = watched(new WebSocketProvider(ADMIN_WS_URL, undefined, { cacheTimeout: -1 }));
  const before = await provider.getBlockNumber();
  await provider.send('anvil_mine', ['0x3']);
  assert.equal(await provider.getBlockNumber(), before + 3);
  await end(provider);
});
