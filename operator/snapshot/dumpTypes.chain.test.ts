import { toQuantity } from 'ethers';
import type { ChainType } from '../../core/api/resources/chainSpecs.ts';
import { everyType } from '../../core/chains/evm/testing/everyType.ts';
import { callRpc, type RunningAnvil, startAnvil } from '../../core/chains/evm/testing/startAnvil.ts';
import { driverOf } from '../../core/chains/registry.ts';
import { planContext } from '../../core/chains/testing/planContext.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { systemContractsForTests } from '../../hack/contracts/forTests.ts';
import { readDump } from './dump.ts';

const payer = '0x00000000000000000000000000000000000000a5';
const payee = '0x00000000000000000000000000000000000000a6';
const untouched = '0x00000000000000000000000000000000000000a7';

function partOf(type: ChainType, chainId: string, blockHeight?: string) {
  const plan = driverOf(type)?.plan({
    chain: { type },
    chainId,
    hotAddress: payer,
    mnemonicAddresses: [],
    ...planContext,
    systemContracts: systemContractsForTests(),
    ...(blockHeight === undefined ? {} : { fork: { blockHeight } }),
  });
  const [part] = plan?.parts ?? [];
  if (!part) throw new Error(`${type} has no engine`);
  return part;
}

const dumpOf = ({ url }: RunningAnvil) => readDump(createEvmRpc({ url }));
const balance = async ({ url }: RunningAnvil, address: string) =>
  Number(await callRpc(url, 'eth_getBalance', address, 'latest'));
const give = ({ url }: RunningAnvil, address: string, wei: number) =>
  callRpc(url, 'anvil_setBalance', address, toQuantity(wei));

/** Sends a transaction of the hot key's account without its key. Returns its hash once it is mined. */
async function pay({ url }: RunningAnvil): Promise<string> {
  await callRpc(url, 'anvil_impersonateAccount', payer);
  const transaction = { from: payer, to: payee, value: '0x1' };
  const receipt = await callRpc(url, 'eth_sendTransactionSync', transaction);
  return (receipt as { transactionHash: string }).transactionHash;
}

const receiptOf = async ({ url }: RunningAnvil, hash: string) =>
  (await callRpc(url, 'eth_getTransactionReceipt', hash)) as { status?: string; blockHash?: string } | null;

it.each(everyType)(
  'a clone of type %s has the transactions and balances of its original, and goes on',
  async (type) => {
    const original = await startAnvil(partOf(type, '1100000001'));
    let clone: RunningAnvil | undefined;
    try {
      const hash = await pay(original);
      const before = await receiptOf(original, hash);
      const { bytes, block } = await dumpOf(original);
      expect(block).toBe(Number(await callRpc(original.url, 'eth_blockNumber')));
      await pay(original);
      clone = await startAnvil(partOf(type, '1100000001'), '', { snapshot: [bytes] });
      expect(await receiptOf(clone, hash)).toMatchObject({ status: '0x1', blockHash: before?.blockHash });
      expect(await balance(clone, payee)).toBe(1);
      expect((await receiptOf(clone, await pay(clone)))?.status).toBe('0x1');
      expect(await balance(clone, payee)).toBe(2);
    } finally {
      await clone?.stop();
      await original.stop();
    }
  },
);

it('a clone of a fork has what the fork changed, and reads the rest at the block of the fork', async () => {
  const source = await startAnvil(partOf('Base', '1200000001'));
  const running = [source];
  try {
    await give(source, untouched, 1);
    await callRpc(source.url, 'evm_mine');
    const fork = await startAnvil(partOf('Base', '1200000002', '1'), source.url);
    running.push(fork);
    await give(fork, payee, 7);
    await callRpc(fork.url, 'evm_mine');
    const { bytes, block } = await dumpOf(fork);
    expect(block).toBe(2);
    // anvil fixes the state of a block when it mines the next one.
    await callRpc(source.url, 'evm_mine');
    await give(source, untouched, 2);
    await callRpc(source.url, 'evm_mine');
    const snapshot = [bytes];
    const clone = await startAnvil(partOf('Base', '1200000002', '1'), source.url, { snapshot });
    running.push(clone);
    expect([await balance(clone, payee), await balance(clone, untouched)]).toEqual([7, 1]);
    expect(await callRpc(clone.url, 'eth_blockNumber')).toBe('0x2');
  } finally {
    for (const chain of running) await chain.stop();
  }
});
