import { JsonRpcProvider, toQuantity } from 'ethers';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import type { PlanInput } from '../driver.ts';
import { driverOf } from '../registry.ts';
import { planContext } from '../testing/planContext.ts';
import { type RunningAnvil, startAnvil } from './testing/startAnvil.ts';

const hotAddress = '0x00000000000000000000000000000000000000a5';
const touched = '0x00000000000000000000000000000000000000a6';
const untouched = '0x00000000000000000000000000000000000000a7';

function partOf(chainId: string, blockHeight?: string) {
  const driver = driverOf('Base');
  const input: PlanInput = {
    chain: { type: 'Base' },
    chainId,
    hotAddress,
    mnemonicAddresses: [],
    ...planContext,
    systemContracts: systemContractsForTests(),
    ...(blockHeight === undefined ? {} : { fork: { blockHeight } }),
  };
  const [part] = driver?.plan(input).parts ?? [];
  if (!part) throw new Error('Base has no engine');
  return part;
}

async function ask({ url }: RunningAnvil, method: string, ...params: unknown[]): Promise<unknown> {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
  const answer = await provider.send(method, params);
  provider.destroy();
  return answer;
}

const balance = async (chain: RunningAnvil, address: string) =>
  BigInt(String(await ask(chain, 'eth_getBalance', address, 'latest')));
const give = (chain: RunningAnvil, address: string, wei: number) =>
  ask(chain, 'anvil_setBalance', address, toQuantity(wei));

it('a fork keeps its own state over a restart, and reads the rest at its block from the current URL of its source', async () => {
  const source = await startAnvil(partOf('1200000001'));
  let fork: RunningAnvil | undefined;
  try {
    await give(source, untouched, 1);
    await ask(source, 'evm_mine');
    fork = await startAnvil(partOf('1200000002', '1'), source.url);
    await give(fork, touched, 7);
    await ask(fork, 'evm_mine');
    // anvil fixes the state of a block when it mines the next one.
    await ask(source, 'evm_mine');
    await give(source, untouched, 2);
    await give(source, touched, 3);
    await ask(source, 'evm_mine');
    fork = await fork.restart();
    expect([await balance(fork, touched), await balance(fork, untouched)]).toEqual([7n, 1n]);
  } finally {
    await fork?.stop();
    await source.stop();
  }
});
