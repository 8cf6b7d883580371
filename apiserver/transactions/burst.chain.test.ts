import { awaitReceipts } from '../../core/evm/receipts.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { type SubmitApi, startSubmitApi } from './testing/submitApi.ts';

let submitApi: SubmitApi;
beforeAll(async () => {
  submitApi = await startSubmitApi();
});
afterAll(() => submitApi.stop());

/** Creation code that uses all its gas: INVALID. */
const burner = '0xfe';

test('a burst far beyond the size of a block is mined completely and in order, with nothing sent after it', async () => {
  const { api, scene, first } = submitApi;
  const common = { from: scene.wallet.address, value: '0' };
  // 320 million gas in blocks of 30 million; the small transactions fit where the large ones no longer do.
  const items = Array.from({ length: 300 }, (_, index) =>
    index % 2 === 0
      ? { ...common, data: burner, gas_limit: 2_100_000 }
      : { ...common, data: '0x', to: scene.wallet.address, gas_limit: 21_000 },
  );
  const { status, json } = await api.request('/transaction/v1alpha1/transaction/submit', {
    body: { transactions_by_network: { [first.id]: items } },
  });
  expect(status).toBe(202);
  const hashes = json.tx_hashes_by_network[first.id];
  const receipts = await awaitReceipts(createEvmRpc({ url: first.url }), hashes, { timeoutMs: 15_000 });
  expect(receipts.filter((receipt) => receipt === undefined)).toHaveLength(0);
  const blocks = receipts.map((receipt) => receipt?.block ?? 0);
  expect(blocks).toEqual([...blocks].sort((a, b) => a - b));
});

/** Creation code that runs for about 4.6 M gas, in its own loop. */
const long = '0x62029f405b600190038060045700';

test('calls without fees are mined, although their own burst raises the base fee far beyond what it was', async () => {
  const { api, scene } = submitApi;
  const small = await scene.addNetwork('small');
  const rpc = createEvmRpc({ url: small.url });
  await rpc.call('evm_setBlockGasLimit', ['0x4c4b40']);
  await rpc.call('evm_mine', []);
  const items = Array.from({ length: 40 }, () => ({ from: scene.wallet.address, value: '0', data: long }));
  const { status, json } = await api.request('/transaction/v1alpha1/transaction/submit', {
    body: { transactions_by_network: { [small.id]: items } },
  });
  expect([status, json.errors_by_network]).toEqual([202, undefined]);
  const receipts = await awaitReceipts(rpc, json.tx_hashes_by_network[small.id], { timeoutMs: 30_000 });
  expect(receipts.map((receipt) => receipt?.isSuccess)).toEqual(items.map(() => true));
});
