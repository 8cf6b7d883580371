import { broadcast } from '../../evm/broadcast.ts';
import { awaitReceipts } from '../../evm/receipts.ts';
import { createEvmRpc } from '../../evm/rpc.ts';
import { createSigner } from '../../signing/signer.ts';
import { evmDrivers } from './drivers.ts';
import { startTestChain, type TestChain } from './testing/testChain.ts';

let chain: TestChain;
const signer = createSigner();
beforeAll(async () => {
  chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
});
afterAll(async () => {
  await signer.close();
  await chain.stop();
});

test('thousands of transactions that arrive at once are all mined', async () => {
  const { url, chainId, wallet } = chain;
  const fees = { maxFeePerGas: '10000000000', maxPriorityFeePerGas: '1000000000' };
  const transfer = { chainId, to: wallet.address, value: '1', data: '0x', gasLimit: '21000', fees };
  const transfers = Array.from({ length: 6000 }, (_, nonce) => ({ ...transfer, nonce }));
  const signed = await signer.sign(Buffer.from(wallet.privateKey.slice(2), 'hex'), transfers);
  const rpc = createEvmRpc({ url });
  const sent = await broadcast(
    rpc,
    signed.map(({ raw }) => raw),
  );
  expect(sent.every(({ kind }) => kind === 'sent')).toBe(true);
  const last = signed.slice(-1).map(({ hash }) => hash);
  expect(await awaitReceipts(rpc, last, { timeoutMs: 20_000 })).toMatchObject([{ isSuccess: true }]);
});
