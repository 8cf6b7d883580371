import { JsonRpcProvider } from 'ethers';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import type { PlanInput } from '../driver.ts';
import { planContext } from '../testing/planContext.ts';
import { evmDrivers } from './drivers.ts';
import { type RunningAnvil, startAnvil } from './testing/startAnvil.ts';

const planOf = (ethereum: object) => {
  const input: PlanInput = {
    chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, ...ethereum } },
    ...{ chainId: '1000000001', mnemonicAddresses: [] },
    ...planContext,
    systemContracts: systemContractsForTests(),
  };
  return evmDrivers.Ethereum.plan(input);
};

let anvil: RunningAnvil;
let provider: JsonRpcProvider;
beforeAll(async () => {
  const [part] = planOf({ gasLimit: 20_000_000 }).parts;
  if (!part) throw new Error('the plan has no part');
  anvil = await startAnvil(part);
  provider = new JsonRpcProvider(anvil.url, undefined, { cacheTimeout: -1, pollingInterval: 20 });
}, 30_000);
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

it('a fork that names no gas limit keeps its own', () => {
  const chain = { type: 'Base', base: { forking: { enabled: true } } } as const;
  const fork = { blockHeight: 'latest' };
  const plan = evmDrivers.Base.plan({ chain, fork, chainId: '1', mnemonicAddresses: [], ...planContext });
  expect(plan.settings?.map(({ method }) => method)).not.toContain('evm_setBlockGasLimit');
});
