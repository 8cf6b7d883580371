import type { PlanInput } from '../../core/chains/driver.ts';
import { word } from '../../core/chains/evm/storage.ts';
import { callRpc, type RunningAnvil, startAnvil } from '../../core/chains/evm/testing/startAnvil.ts';
import { driverOf } from '../../core/chains/registry.ts';
import { planContext } from '../../core/chains/testing/planContext.ts';
import { toQuantity } from '../../core/lib/text/quantity.ts';

/** A chain that is forked, and anvils that fork it and all read the same accounts, code, storage, blocks and a contract's answer. */
export const accounts = Number(process.env.ACCOUNTS ?? 40);
const slots = 32;
const height = 300;
const forkedBlock = 20;
const contract = '0x00000000000000000000000000000000000000c0';
const accountAt = (index: number) => `0x${(0xa000 + index).toString(16).padStart(40, '0')}`;
export const range = (length: number) => Array.from({ length }, (_, index) => index);
/** Returns the sum of its first storage slots. */
const code = `0x6000${range(slots)
  .map((slot) => `60${slot.toString(16).padStart(2, '0')}5401`)
  .join('')}60005260206000f3`;

function partOf(chainId: string, fork?: { blockHeight: string }) {
  const input: PlanInput = {
    chain: { type: 'Base' },
    chainId,
    mnemonicAddresses: [],
    ...planContext,
    ...(fork ? { fork } : {}),
  };
  const [part] = driverOf('Base')?.plan(input).parts ?? [];
  if (!part) throw new Error('Base has no engine');
  return part;
}

/** The chain that is forked. */
export async function startChain(): Promise<RunningAnvil> {
  const chain = await startAnvil(partOf('1200000001'));
  for (const index of range(accounts)) {
    await callRpc(chain.url, 'anvil_setBalance', accountAt(index), toQuantity(index + 1));
  }
  await callRpc(chain.url, 'anvil_setCode', contract, code);
  for (const slot of range(slots)) {
    await callRpc(chain.url, 'anvil_setStorageAt', contract, toQuantity(slot), word(BigInt(slot)));
  }
  await callRpc(chain.url, 'anvil_mine', toQuantity(height));
  return chain;
}

/** Starts a fork of the same block every time. */
export function startFork(forkUrl: string): Promise<RunningAnvil> {
  return startAnvil(partOf('1200000002', { blockHeight: String(forkedBlock) }), forkUrl);
}

/** Reads everything from a fork, and throws unless the state is that of the chain. */
export async function readFork({ url }: RunningAnvil): Promise<void> {
  const read = (method: string, ...params: unknown[]) => callRpc(url, method, ...params);
  for (const index of range(accounts)) {
    const balance = await read('eth_getBalance', accountAt(index), 'latest');
    if (balance !== toQuantity(index + 1)) throw new Error(`an account has ${balance}`);
  }
  const sum = await read('eth_call', { to: contract, data: '0x' }, 'latest');
  if (Number(sum) !== (slots * (slots - 1)) / 2) throw new Error(`the contract answers ${sum}`);
  for (const number of range(10)) await read('eth_getBlockByNumber', toQuantity(number), true);
}
