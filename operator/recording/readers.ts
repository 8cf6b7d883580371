import type { NetworkResource } from '../../core/api/resources/network.ts';
import { isTooLong } from '../../core/evm/readCapped.ts';
import { createEvmRpc, createRpcAgent } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { createRecentMap } from '../../core/lib/recentMap.ts';
import type { EngineAddress, EngineOf } from '../engines.ts';
import { createWalletReader, type WalletReader } from './chain.ts';
import { createHeldBytes } from './heldBytes.ts';

const timeoutMs = 10_000;
/** Most answers are shorter. */
const usualBytes = 4 * 1024 * 1024;
/** A part of a block: a transaction of a development chain may be as long as its gas limit allows. */
const maxBytes = 64 * 1024 * 1024;
const maxRemembered = 2_000;
/** How long it is remembered what a node supports, so that nothing is kept of nodes that are gone. */
const rememberedMs = 600_000;

/**
 * Answers are held in memory as a whole, and are several times as large once parsed, at once: only so many are read at a time.
 * Where they are longer than usual, fewer blocks are requested, at last one in parts, when nothing else is in memory. A node that
 * hangs occupies none of it.
 */
const heldBytes = maxBytes;

/** Readers of chains. Each remembers what its node supports, until the node's address changes. */
export function createReaders(engineOf: EngineOf, clock: Pick<Clock, 'nowMs'>) {
  const agent = createRpcAgent();
  const hold = createHeldBytes(heldBytes);
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
    const readerUpTo = (bytes: number) =>
      createWalletReader(createEvmRpc({ ...engine, timeoutMs, maxBytes: bytes, agent }), wallet);
    const [usual, large] = [readerUpTo(usualBytes), readerUpTo(maxBytes)];
    const reader: WalletReader = {
      ...large,
      read: (after, count) =>
        hold(usualBytes, () => usual.read(after, count)).catch((error: unknown) => {
          if (!isTooLong(error)) throw error;
          if (count > 1) return reader.read(after, Math.ceil(count / 4));
          return hold(maxBytes, () => large.readLong(after));
        }),
    };
    known.set(key, { ...engine, reader });
    return reader;
  };
}
