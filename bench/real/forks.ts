import type { RunningAnvil } from '../../core/chains/evm/testing/startAnvil.ts';
import { startProxy, startRelay } from '../../forks/testing/proxy.ts';
import { readFork, startChain, startFork } from '../forks/bed.ts';
import { measureRounds, type Row, rowOf, type Samples } from './rows.ts';

/** How much later than the chain on this machine the source answers: as one that is not far away does. */
const sourceDelayMs = 20;
const warmReads = 10;

interface Forks {
  direct: RunningAnvil;
  first: RunningAnvil;
  second: RunningAnvil;
}

/** Reads of a warm fork, and starts with first reads of two forks of one block, each round with a fork proxy that knows nothing yet. */
export async function measureForks(rounds: number): Promise<Row[]> {
  const warm: Samples = { own: [], peer: [] };
  const second: Samples = { own: [], peer: [] };
  const chain = await startChain();
  try {
    for (let index = 0; index < rounds; index += 1) {
      const found = await measureOnce(chain);
      warm.own.push(...found.warm.own);
      warm.peer.push(...found.warm.peer);
      second.own.push(found.secondMs);
      second.peer.push(found.firstMs);
    }
  } finally {
    await chain.stop();
  }
  return [rowOf('reads of a warm fork', warm), rowOf('second fork of a block', second)];
}

async function measureOnce(chain: RunningAnvil) {
  const source = await startRelay(chain.url, sourceDelayMs);
  const proxy = await startProxy({ Base: source.url });
  const forks: Partial<Forks> = {};
  /** Starts a fork that reads for the first time, and returns how long both take. */
  const begin = async (name: keyof Forks, url: string) => {
    const startMs = performance.now();
    const fork = await startFork(url);
    forks[name] = fork;
    await readFork(fork);
    return { fork, ms: performance.now() - startMs };
  };
  try {
    const first = await begin('first', proxy.urlFor('Base', 'u-1'));
    const second = await begin('second', proxy.urlFor('Base', 'u-2'));
    const direct = await begin('direct', source.url);
    const [own, peer] = [() => readFork(first.fork), () => readFork(direct.fork)];
    const warm = await measureRounds(warmReads, own, peer);
    return { warm, firstMs: first.ms, secondMs: second.ms };
  } finally {
    await Promise.all(Object.values(forks).map((fork) => fork.stop()));
    await proxy.close();
    await source.close();
  }
}
