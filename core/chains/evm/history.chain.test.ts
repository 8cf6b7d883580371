import { setImmediate as nextTurn } from 'node:timers/promises';
import { toQuantity } from 'ethers';
import { driverOf } from '../registry.ts';
import { planContext } from '../testing/planContext.ts';
import { callRpc, type RunningAnvil, startAnvil } from './testing/startAnvil.ts';

/** What a network with `history` knows of earlier blocks after it was started again. */

const account = '0x00000000000000000000000000000000000000a5';
const sender = '0x00000000000000000000000000000000000000b6';
const history = 16;
const part = partOf();

function partOf() {
  const [found] =
    driverOf('Ethereum')?.plan({
      chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, history } },
      chainId: '1100000001',
      mnemonicAddresses: [sender],
      ...planContext,
    }).parts ?? [];
  if (!found) throw new Error('Ethereum has no engine');
  return found;
}

const ask = ({ url }: RunningAnvil, method: string, ...params: unknown[]) => callRpc(url, method, ...params);
const balanceAt = (chain: RunningAnvil, block: number | string) =>
  ask(chain, 'eth_getBalance', account, typeof block === 'number' ? toQuantity(block) : block);

/** 41 blocks, each with a transaction of one wei. Resolves to the hash of the last. */
async function grow(chain: RunningAnvil): Promise<string> {
  await ask(chain, 'anvil_impersonateAccount', sender);
  let hash = '';
  for (let block = 1; block <= 41; block += 1) {
    hash = String(await ask(chain, 'eth_sendTransaction', { from: sender, to: account, value: '0x1' }));
    while (!(await ask(chain, 'eth_getTransactionReceipt', hash))) await nextTurn();
  }
  return hash;
}

async function expectHistory(chain: RunningAnvil, hash: string): Promise<void> {
  expect(await ask(chain, 'eth_blockNumber')).toBe(toQuantity(41));
  for (const block of [30, 35, 40]) expect(await balanceAt(chain, block)).toBe(toQuantity(block));
  expect(await balanceAt(chain, 'finalized')).toBe(toQuantity(39));
  await expect(balanceAt(chain, 5)).rejects.toThrow('BlockOutOfRange');
  const trace = await ask(chain, 'debug_traceTransaction', hash, { tracer: 'callTracer' });
  expect(trace).toMatchObject({ from: sender, to: account });
}

async function withChain(isPersistent: boolean, test: (chain: RunningAnvil) => Promise<RunningAnvil>) {
  const chain = await startAnvil(part, '', { isPersistent });
  try {
    await (await test(chain)).stop();
  } finally {
    await chain.stop();
  }
}

describe.each([
  ['a persistent network', true],
  ['a network that is not persistent', false],
])('%s', (_kind, isPersistent) => {
  it('has the states and traces of its newest blocks after a restart, and after another', () =>
    withChain(isPersistent, async (first) => {
      const hash = await grow(first);
      const chain = await first.restart();
      await expectHistory(chain, hash);
      const again = await chain.restart();
      expect(await balanceAt(again, 30)).toBe(toQuantity(30));
      return again;
    }));
});

it('a saved chain with states is whole, or is not taken for one', () =>
  withChain(true, async (first) => {
    const hash = await grow(first);
    await ask(first, 'evm_mine');
    const restarted = await first.restart();
    const chain = await restarted.crash();
    expect(await balanceAt(chain, 35)).toBe(toQuantity(35));
    expect(await ask(chain, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    return chain;
  }));
