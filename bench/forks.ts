import type { RunningAnvil } from '../core/chains/evm/testing/startAnvil.ts';
import { inParallel } from '../core/lib/work/inParallel.ts';
import { type RunningProxy, startProxy, startRelay } from '../forks/testing/proxy.ts';
import { accounts, range, readFork, startChain, startFork } from './forks/bed.ts';
import { round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';

/**
 * How many calls forks of one block cost their source: anvils that all read the same accounts, code, storage, blocks and
 * a contract's answer. One fork and `FORKS` forks, one after the other and at once, through the fork proxy, and for
 * comparison without it. The source counts; it is a local anvil. Starts everything itself.
 */
const count = Number(process.env.FORKS ?? 10);
const aim = 1.1;

/** Starts a fork and reads from it. */
async function useFork(forkUrl: string): Promise<void> {
  const fork = await startFork(forkUrl);
  try {
    await readFork(fork);
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
