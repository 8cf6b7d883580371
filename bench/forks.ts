import { type RunningProxy, startProxy, startRelay } from '../apiserver/forks/testing/proxy.ts';
import type { PlanInput } from '../core/chains/driver.ts';
import { callRpc, type RunningAnvil, startAnvil } from '../core/chains/evm/testing/startAnvil.ts';
import { driverOf } from '../core/chains/registry.ts';
import { planContext } from '../core/chains/testing/planContext.ts';
import { inParallel } from '../core/lib/work/inParallel.ts';
import { round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';

/**
 * How many calls forks of one block cost their source: anvils that all read the same accounts, code, storage, blocks and
 * a contract's answer. One fork and `FORKS` forks, one after the other and at once, through the fork proxy, and for
 * comparison without it. The source counts; it is a local anvil. Starts everything itself.
 */
const count = Number(process.env.FORKS ?? 10);
const accounts = Number(process.env.ACCOUNTS ?? 40);
const aim = 1.1;
const slots = 32;
const height = 300;
const forkedBlock = 20;
const contract = '0x00000000000000000000000000000000000000c0';
const hex = (value: number) => `0x${value.toString(16)}`;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const accountAt = (index: number) => `0x${(0xa000 + index).toString(16).padStart(40, '0')}`;
const range = (length: number) => Array.from({ length }, (_, index) => index);
/** Returns the sum of its first storage slots. */
const code = `0x6000${range(slots)
  .map((slot) => `60${slot.toString(16).padStart(2, '0')}5401`)
  .join('')}60005260206000f3`;

function partOf(chainId: string, fork?: { blockHeight: string }) {
  const input: PlanInput = {
    ...{ chain: { type: 'Base' }, chainId, mnemonicAddresses: [] },
    ...planContext,
    ...(fork ? { fork } : {}),
  };
  const [part] = driverOf('Base')?.plan(input).parts ?? [];
  if (!part) throw new Error('Base has no engine');
  return part;
}

async function startChain(): Promise<RunningAnvil> {
  const chain = await startAnvil(partOf('1200000001'));
  for (const index of range(accounts)) {
    await callRpc(chain.url, 'anvil_setBalance', accountAt(index), hex(index + 1));
  }
  await callRpc(chain.url, 'anvil_setCode', contract, code);
  for (const slot of range(slots)) {
    await callRpc(chain.url, 'anvil_setStorageAt', contract, hex(slot), word(slot));
  }
  await callRpc(chain.url, 'anvil_mine', hex(height));
  return chain;
}

/** Starts a fork, reads from it, and throws unless the state is that of the source. */
async function useFork(forkUrl: string): Promise<void> {
  const fork = await startAnvil(partOf('1200000002', { blockHeight: String(forkedBlock) }), forkUrl);
  try {
    const read = (method: string, ...params: unknown[]) => callRpc(fork.url, method, ...params);
    for (const index of range(accounts)) {
      const balance = await read('eth_getBalance', accountAt(index), 'latest');
      if (balance !== hex(index + 1)) throw new Error(`an account has ${balance}`);
    }
    const sum = await read('eth_call', { to: contract, data: '0x' }, 'latest');
    if (Number(sum) !== (slots * (slots - 1)) / 2) throw new Error(`the contract answers ${sum}`);
    for (const number of range(10)) await read('eth_getBlockByNumber', hex(number), true);
  } finally {
    await fork.stop();
  }
}

interface Way {
  through: 'proxy' | 'nothing';
  forks: number;
  atOnce: number;
}

/** With a source and a proxy of its own, so that nothing is known yet. */
async function measure(chain: RunningAnvil, way: Way) {
  const source = await startRelay(chain.url);
  const proxy: RunningProxy | undefined =
    way.through === 'proxy' ? await startProxy({ Base: source.url }) : undefined;
  const urlOf = (index: number) => proxy?.urlFor('Base', `u-${index}`) ?? source.url;
  const startMs = performance.now();
  await inParallel(range(way.forks), way.atOnce, (index) => useFork(urlOf(index)));
  const seconds = round((performance.now() - startMs) / 1000);
  await proxy?.close();
  await source.close();
  const byMethod = Object.fromEntries([...source.counts].sort(([, a], [, b]) => b - a));
  const row = { ...way, sourceCalls: source.calls.length, seconds, byMethod };
  console.log(JSON.stringify(row));
  return row;
}

const loadBefore = loadNow();
const chain = await startChain();
try {
  const one = await measure(chain, { through: 'proxy', forks: 1, atOnce: 1 });
  const inTurn = await measure(chain, { through: 'proxy', forks: count, atOnce: 1 });
  const together = await measure(chain, { through: 'proxy', forks: count, atOnce: count });
  const direct = await measure(chain, { through: 'nothing', forks: count, atOnce: 1 });
  const ratioOf = ({ sourceCalls }: typeof one) => round(sourceCalls / one.sourceCalls);
  const ratios = { inTurn: ratioOf(inTurn), together: ratioOf(together), withoutProxy: ratioOf(direct) };
  console.log(
    `one fork costs the source ${one.sourceCalls} calls; ${count} forks ${inTurn.sourceCalls} one after the other, ` +
      `${together.sourceCalls} at once, and ${direct.sourceCalls} without the proxy`,
  );
  writeReport('forks', { aim, count, accounts, ratios, loadBefore, rows: [one, inTurn, together, direct] });
} finally {
  await chain.stop();
}
