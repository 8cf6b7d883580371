import type { NetworkResource } from '../../core/api/resources/network.ts';
import { createEvmRpc, createRpcAgent } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { createRecentMap } from '../../core/lib/recentMap.ts';
import type { EngineAddress, EngineOf } from '../engines.ts';
import { createWalletReader, type WalletReader } from './chain.ts';

const timeoutMs = 10_000;
/** A block of a development chain may hold as much as its gas limit allows. */
const maxBytes = 64 * 1024 * 1024;
const maxRemembered = 2_000;
/** What a node supports is found out again, so that nothing is kept of nodes that are gone. */
const rememberedMs = 600_000;

/**
 * Blocks are read on at most this many chains at a time: their answers are in memory as a whole. A node that hangs has
 * not answered the question before it, and takes no place.
 */
const maxReading = 4;

/** Readers of chains. Each remembers what its node supports, until the node's address changes. */
export function createReaders(engineOf: EngineOf, clock: Pick<Clock, 'nowMs'>) {
  const agent = createRpcAgent();
  const limit = createConcurrencyLimit(maxReading);
  const known = createRecentMap<string, EngineAddress & { reader: WalletReader }>({
    maxEntries: maxRemembered,
    ageMs: rememberedMs,
    clock,
  });
  return (network: Stored<NetworkResource>, wallet: string): WalletReader | undefined => {
    const engine = engineOf(network.metadata.uid);
    if (!engine) return undefined;
    const { url } = engine;
    const key = `${network.metadata.uid}/${wallet}`;
    const present = known.get(key);
    if (present?.url === url && present.pod === engine.pod) return present.reader;
    const unlimited = createWalletReader(createEvmRpc({ ...engine, timeoutMs, maxBytes, agent }), wallet);
    const reader: WalletReader = {
      ...unlimited,
      read: (after, count) => limit(() => unlimited.read(after, count)),
    };
    known.set(key, { ...engine, reader });
    return reader;
  };
}

/** Runs at most `count` pieces of work at a time, in the order in which they came. */
function createConcurrencyLimit(count: number) {
  const waiting: (() => void)[] = [];
  let free = count;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
