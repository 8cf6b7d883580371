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
