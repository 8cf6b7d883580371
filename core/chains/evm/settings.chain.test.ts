import { JsonRpcProvider } from 'ethers';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import { mnemonicBalance } from '../../accounts/hotKeys.ts';
import { chainTypes } from '../../api/resources/chainSpecs.ts';
import type { PlanInput } from '../driver.ts';
import { planContext } from '../testing/planContext.ts';
import { evmDrivers } from './drivers.ts';
import { everyType } from './testing/everyType.ts';
import { callRpc, type RunningAnvil, startAnvil } from './testing/startAnvil.ts';

const mnemonicAddresses = ['0x00000000000000000000000000000000000000a1'];

function planFor([type, driver]: (typeof everyType)[number], spec: object) {
  const input: PlanInput = {
    chain: { type, [chainTypes[type].member]: { privateKeyRef: { name: 'key' }, ...spec } },
    chainId: '1000000001',
    mnemonicAddresses,
    ...planContext,
    systemContracts: systemContractsForTests(),
  };
  return driver.plan(input);
}

const planOf = (ethereum: object) => planFor(['Ethereum', evmDrivers.Ethereum], ethereum);

let anvil: RunningAnvil;
let provider: JsonRpcProvider;
beforeAll(async () => {
  const [part] = planOf({ gasLimit: 20_000_000 }).parts;
  if (!part) throw new Error('the plan has no part');
  anvil = await startAnvil(part);
  provider = new JsonRpcProvider(anvil.url, undefined, { cacheTimeout: -1, pollingInterval: 20 });
});
afterAll(async () => {
  provider.destroy();
  await anvil.stop();
});

/** Gives the running engine the settings of a changed spec. */
async function takeOver(ethereum: object): Promise<void> {
  for (const { method, params } of planOf(ethereum).settings ?? []) await provider.send(method, [...params]);
}

const intervalOf = () => provider.send('anvil_getIntervalMining', []);
const isAutomining = () => provider.send('anvil_getAutomine', []);

it('a running engine takes over block time and gas limit with the calls of the plan, and keeps its chain', async () => {
  await provider.send('evm_mine', []);
  const first = await provider.getBlock(1);
  await takeOver({ gasLimit: 9_000_000, blockTime: 3600 });
  expect([await intervalOf(), await isAutomining()]).toEqual([3600, false]);
  await provider.send('evm_mine', []);
  expect(Number((await provider.getBlock('latest'))?.gasLimit)).toBe(9_000_000);
  await takeOver({});
  expect([await intervalOf(), await isAutomining()]).toEqual([null, true]);
  await provider.send('evm_mine', []);
  expect(Number((await provider.getBlock('latest'))?.gasLimit)).toBe(evmDrivers.Ethereum.facts.gasLimit);
  expect((await provider.getBlock(1))?.hash).toBe(first?.hash);
});

it('transactions that waited for a block are mined when the block time goes', async () => {
  await takeOver({ blockTime: 3600 });
  const from = '0x00000000000000000000000000000000000000ee';
  await provider.send('anvil_impersonateAccount', [from]);
  await provider.send('anvil_setBalance', [from, '0xde0b6b3a7640000']);
  const hash = await provider.send('eth_sendTransaction', [{ from, to: from }]);
  await takeOver({});
  expect((await provider.waitForTransaction(hash))?.status).toBe(1);
});

it.each(everyType)(
  '%s begins with block time, gas limit and accounts of its spec, and takes over other ones',
  async (...type) => {
    const [part] = planFor(type, { blockTime: 3600, gasLimit: 9_000_000 }).parts;
    if (!part) throw new Error('the plan has no part');
    const own = await startAnvil(part);
    try {
      const limitAt = async (block: string) =>
        Number(
          ((await callRpc(own.url, 'eth_getBlockByNumber', block, false)) as { gasLimit: string }).gasLimit,
        );
      expect(await limitAt('0x0')).toBe(9_000_000);
      expect(await callRpc(own.url, 'anvil_getIntervalMining')).toBe(3600);
      const [funded] = mnemonicAddresses;
      expect(BigInt(String(await callRpc(own.url, 'eth_getBalance', funded, '0x0')))).toBe(mnemonicBalance);
      for (const { method, params } of planFor(type, { gasLimit: 8_000_000 }).settings ?? []) {
        await callRpc(own.url, method, ...params);
      }
      await callRpc(own.url, 'evm_mine');
      expect(await limitAt('latest')).toBe(8_000_000);
      expect(await callRpc(own.url, 'anvil_getAutomine')).toBe(true);
    } finally {
      await own.stop();
    }
  },
);

it('a fork that names no gas limit keeps its own', () => {
  const chain = { type: 'Base', base: { forking: { enabled: true } } } as const;
  const fork = { blockHeight: 'latest' };
  const plan = evmDrivers.Base.plan({ chain, fork, chainId: '1', mnemonicAddresses: [], ...planContext });
  expect(plan.settings?.map(({ method }) => method)).not.toContain('evm_setBlockGasLimit');
});
