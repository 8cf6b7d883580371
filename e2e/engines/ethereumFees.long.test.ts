import type { JsonRpcProvider } from 'ethers';
import { readDefaultKey } from '../lib/accounts.ts';
import { createHotKey, endpointsOf, type HotKey, remove } from '../lib/networks.ts';
import { type Answer, call, until } from '../lib/service.ts';
import { reachBlock, withProvider } from './ethereumChain.ts';
import { minuteMs, start } from './families.ts';

const gwei = 10n ** 9n;
const blockGas = 1_000_000;
/** Initcode that loops until it runs out of gas. */
const infiniteLoop = '0x5b600056';
/** The number of nearly full blocks: each raises the base fee by a ninth, for two minutes. */
const fullBlocks = 60;

let key: HotKey;
let id: string;
let url: string | undefined;
beforeAll(async () => {
  key = await createHotKey();
  const chain = { privateKeyRef: { name: key.name }, blockTime: 2, gasLimit: blockGas, participants: [{}] };
  id = await start('Ethereum', chain);
  url = (await endpointsOf(id)).rpc;
  await reachBlock(url, 1);
});
afterAll(() => remove(id));

async function fillBlocks(provider: JsonRpcProvider): Promise<void> {
  const wallet = key.wallet.connect(provider);
  const fees = { maxFeePerGas: 1000n * gwei, maxPriorityFeePerGas: gwei };
  const { chainId } = await provider.getNetwork();
  for (let nonce = 0; nonce < fullBlocks; nonce += 1) {
    const raw = await wallet.signTransaction({
      type: 2,
      chainId,
      nonce,
      ...fees,
      data: infiniteLoop,
      gasLimit: blockGas - 50_000,
    });
    await provider.broadcastTransaction(raw);
  }
}

async function nextBaseFee(provider: JsonRpcProvider): Promise<bigint> {
  const { baseFeePerGas } = await provider.send('eth_feeHistory', ['0x1', 'latest', []]);
  return BigInt(baseFeePerGas[1]);
}

const stateOf = (hash: string, state: string) =>
  until(
    `${hash} in ${state}`,
    () => call('GET', `/transaction/v1alpha1/transaction/submissions/${hash}?network_id=${id}`),
    ({ body }) => body.state === state,
    3 * minuteMs,
  );

it('a transaction below the risen base fee is dropped and its nonce reused, and the next transaction is mined', async () => {
  const { address } = await readDefaultKey();
  const item = { from: address, to: address, value: '0', data: '0x' };
  const accepted: Answer = await withProvider(url, async (provider) => {
    await fillBlocks(provider);
    const submit = async () => {
      // The fee leaves nothing for a tip, so no block includes it, and each block raises the base fee further.
      const bare = { ...item, max_fee_per_gas: String(await nextBaseFee(provider)) };
      const generous = { ...item, max_fee_per_gas: String(1000n * gwei) };
      const body = { transactions_by_network: { [id]: [bare, generous] } };
      return call('POST', '/transaction/v1alpha1/transaction/submit', { body });
    };
    // If a block is mined in between, the fee is rejected as too low.
    return until('a submission', submit, ({ status }) => status === 202);
  });
  const [bare, generous] = accepted.body.tx_hashes_by_network[id];
  const { body: dropped } = await stateOf(bare, 'dropped');
  expect(dropped.message).toMatch(/below the network's base fee/);
  await stateOf(generous, 'mined');
});
