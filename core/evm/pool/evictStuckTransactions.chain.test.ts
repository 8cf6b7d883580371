import { evmDrivers } from '../../chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../chains/evm/testing/testChain.ts';
import { createEvmRpc, type EvmRpc, type RpcCall } from '../rpc.ts';
import { evictStuckTransactions } from './evictStuckTransactions.ts';

const receiver = '0x00000000000000000000000000000000000000aa';
const word = `0x${'11'.repeat(32)}`;
const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
});
afterAll(() => chain.stop());

test("what a wallet has in the pool under the same account is there afterwards, and nobody else's is touched, although its process dies meanwhile", async () => {
  const rpc = createEvmRpc({ url: chain.url });
  const { wallet } = chain;
  await rpc.call('evm_setAutomine', [false]);
  const common = { to: receiver, value: 1n, gasLimit: 21_000, type: 2, chainId: BigInt(chain.chainId) };
  const hashes: unknown[] = [];
  for (const nonce of [0, 1, 5]) {
    const raw = await wallet.signTransaction({ ...common, ...fees, nonce });
    hashes.push(await rpc.call('eth_sendRawTransaction', [raw]));
  }
  const removed: unknown[] = [];
  // The process dies once it has asked for the removal.
  const dying = (calls: readonly RpcCall[]) => {
    if (removed.length > 0) throw new Error('dead');
    const found = calls.filter(({ method }) => method === 'anvil_removePoolTransactions');
    removed.push(...found.map(({ params: [account] }) => account));
  };
  const mortal: EvmRpc = {
    async call(method, params) {
      dying([{ method, params }]);
      return rpc.call(method, params);
    },
    async batch(calls) {
      dying(calls);
      return rpc.batch(calls);
    },
  };
  await evictStuckTransactions(mortal, wallet.address);
  expect(removed).toEqual([wallet.address]);
  expect(await rpc.call('txpool_status', [])).toEqual({ pending: '0x2', queued: '0x1' });
  const found = await rpc.batch(
    hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  );
  expect(found).toMatchObject([0, 1, 5].map((nonce) => ({ result: { nonce: `0x${nonce}` } })));
});

test.each([
  ['of the type 0', { type: 0, gasPrice: 5_000_000_000n }],
  [
    'of the type 1',
    { type: 1, gasPrice: 5_000_000_000n, accessList: [{ address: receiver, storageKeys: [word] }] },
  ],
  ['of the type 2', { type: 2, ...fees }],
  ['that creates a contract', { type: 2, ...fees, to: null, data: '0x6001600055', gasLimit: 100_000 }],
  ['with an authorization', { type: 4, ...fees, gasLimit: 100_000, hasAuthorization: true }],
])('a transaction %s that arrives while the others are evicted is there afterwards', async (_what, given) => {
  const rpc = createEvmRpc({ url: chain.url });
  const { wallet } = chain;
  await rpc.call('anvil_removePoolTransactions', [wallet.address]);
  const { hasAuthorization, ...settings } = { hasAuthorization: false, ...given };
  const authorizationList = hasAuthorization
    ? [await wallet.authorize({ address: receiver, nonce: 9n, chainId: 0n })]
    : null;
  const sign = (nonce: number, more: object) =>
    wallet.signTransaction({
      to: receiver,
      value: 1n,
      gasLimit: 50_000,
      chainId: BigInt(chain.chainId),
      nonce,
      ...more,
    });
  await rpc.call('eth_sendRawTransaction', [await sign(0, { type: 2, ...fees })]);
  const late = await sign(1, { ...settings, ...(authorizationList ? { authorizationList, value: 0n } : {}) });
  const hashes: unknown[] = [];
  const beforeRemoval: EvmRpc = {
    ...rpc,
    async batch(calls) {
      const isRemoval = calls.some(({ method }) => method === 'anvil_removePoolTransactions');
      if (isRemoval) hashes.push(await rpc.call('eth_sendRawTransaction', [late]));
      return rpc.batch(calls);
    },
  };
  expect(await evictStuckTransactions(beforeRemoval, wallet.address)).toBe(true);
  expect(await rpc.call('txpool_status', [])).toEqual({ pending: '0x2', queued: '0x0' });
  expect(await rpc.call('eth_getTransactionByHash', hashes)).toMatchObject({ nonce: '0x1' });
});
