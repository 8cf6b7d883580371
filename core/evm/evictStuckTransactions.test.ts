import { evmDrivers } from '../chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../chains/evm/testing/testChain.ts';
import { evictStuckTransactions } from './evictStuckTransactions.ts';
import { createEvmRpc, type EvmRpc } from './rpc.ts';

let chain: TestChain;
let rpc: EvmRpc;
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  rpc = createEvmRpc({ url: chain.url });
}, 60_000);
afterAll(() => chain.stop());

const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n, type: 2 };
const isInPool = async (hash: string) => (await rpc.call('eth_getTransactionByHash', [hash])) !== null;

/** Sends with nonces after a missing one, so that the transactions stay in the pool. */
async function queueUp(nonce: number, more: object = fees): Promise<string> {
  const { address } = chain.wallet;
  const request = { to: address, nonce, chainId: BigInt(chain.chainId), gasLimit: 30_000, ...more };
  return String(await rpc.call('eth_sendRawTransaction', [await chain.wallet.signTransaction(request)]));
}

it('evicts the known transactions of an account, and keeps those that it sent elsewhere', async () => {
  const legacy = { type: 0, gasPrice: 10n ** 11n };
  const listing = { ...fees, accessList: [{ address: chain.wallet.address, storageKeys: [] }], data: '0x12' };
  const hashes = [await queueUp(3), await queueUp(4), await queueUp(5, legacy), await queueUp(6, listing)];
  const known = [hashes[1] ?? ''];
  expect(await evictStuckTransactions(rpc, { address: chain.wallet.address, known })).toBe(true);
  expect(await Promise.all(hashes.map(isInPool))).toEqual([true, false, true, true]);
  expect(await queueUp(4)).toBe(hashes[1]);
});

it('evicts nothing when it could not put back what the account sent elsewhere', async () => {
  const hash = await queueUp(9);
  const altered: EvmRpc = {
    batch: rpc.batch,
    async call(method, params) {
      const answer = await rpc.call(method, params);
      return method === 'txpool_content'
        ? JSON.parse(JSON.stringify(answer).replaceAll('"gas":"0x7530"', '"gas":"0x7531"'))
        : answer;
    },
  };
  expect(await evictStuckTransactions(altered, { address: chain.wallet.address, known: [] })).toBe(false);
  expect(await isInPool(hash)).toBe(true);
});

it('says when a node cannot evict', async () => {
  const refusing: EvmRpc = {
    batch: rpc.batch,
    call: () => Promise.reject(new Error('the method does not exist')),
  };
  expect(await evictStuckTransactions(refusing, { address: chain.wallet.address, known: [] })).toBe(false);
});
