import { evmDrivers } from '../chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../chains/evm/testing/testChain.ts';
import { evictStuckTransactions } from './evictStuckTransactions.ts';
import { createEvmRpc, type EvmRpc, type RpcCall } from './rpc.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
});
afterAll(() => chain.stop());

test("what a wallet has in the pool under the same account is there afterwards, and nobody else's is touched, although its process dies meanwhile", async () => {
  const rpc = createEvmRpc({ url: chain.url });
  const { wallet } = chain;
  await rpc.call('evm_setAutomine', [false]);
  const to = '0x00000000000000000000000000000000000000aa';
  const common = { to, value: 1n, gasLimit: 21_000, type: 2, chainId: BigInt(chain.chainId) };
  const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
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
