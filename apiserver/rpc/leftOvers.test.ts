import { ethereum } from '../../core/chains/evm/chains/ethereum.ts';
import { startTestChain, type TestChain } from '../../core/chains/evm/testChain.ts';
import { awaitReceipts } from '../../core/transactions/receipts.ts';
import { createEvmRpc } from '../../core/transactions/rpc.ts';
import { signTransactions } from '../../core/transactions/signing.ts';
import { call, post, startWorld, type World } from './fixtures.ts';

let chain: TestChain;
let world: World;
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: ethereum });
  const { hostname: host, port } = new URL(chain.url);
  world = await startWorld({ host, port: Number(port) });
}, 30_000);
afterAll(async () => {
  await world.close();
  await chain.stop();
});

test('a burst of more than a block holds is mined to the last', async () => {
  const fees = { maxFeePerGas: '10000000000', maxPriorityFeePerGas: '1000000000' };
  // Creation code that uses up all the gas it gets: INVALID. A block holds 14 of them.
  const burner = { chainId: chain.chainId, value: '0', data: '0xfe', gasLimit: '2100000', fees };
  const signed = signTransactions(
    Buffer.from(chain.wallet.privateKey.slice(2), 'hex'),
    Array.from({ length: 150 }, (_, nonce) => ({ ...burner, nonce })),
  );
  const answer = await post(
    world.url(),
    signed.map(({ raw }, index) => call('eth_sendRawTransaction', [raw], index)),
  );
  expect(answer.json).toHaveLength(150);
  const hashes = signed.map(({ hash }) => hash);
  const receipts = await awaitReceipts(createEvmRpc({ url: chain.url }), hashes, { timeoutMs: 15_000 });
  expect(receipts.filter((receipt) => receipt === undefined)).toHaveLength(0);
}, 40_000);
