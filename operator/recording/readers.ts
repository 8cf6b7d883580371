import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { isTooLong } from '../../core/evm/readCapped.ts';
import { createEvmRpc, createRpcAgent, longAnswer } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { createRecentMap } from '../../core/lib/recentMap.ts';
import type { EngineAddress, EngineOf } from '../engines.ts';
import { createWalletReader, type WalletReader } from './chain.ts';
import { createHeldBytes } from './heldBytes.ts';

const timeoutMs = 10_000;
/** Most answers are shorter. */
const usualBytes = 4 * 1024 * 1024;
const maxRemembered = 2_000;
/** How long it is remembered what a node supports, so that nothing is kept of nodes that are gone. */
const rememberedMs = 600_000;

/**
 * Answers are held in memory as a whole, and are several times as large once parsed: only so many are read at a time, and of one account a
 * quarter of them, because a node may take its time to answer. Where they are longer than usual, fewer blocks are requested, at last one in
 * parts.
 */
const held = { all: 128 * 1024 * 1024, ofHolder: 32 * 1024 * 1024 };

/** Readers of chains. Each remembers what its node supports, until the node's address changes. */
export function createReaders(engineOf: EngineOf, shareOf: ShareOf, clock: Pick<Clock, 'nowMs'>) {
  const agent = createRpcAgent();
  const hold = createHeldBytes(held);
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
    const [usual, large] = [readerUpTo(usualBytes), readerUpTo(longAnswer.maxBytes)];
    const holder = shareOf(network.metadata.namespace);
    const reader: WalletReader = {
      ...large,
      read: (after, count) =>
        hold({ holder, bytes: usualBytes }, () => usual.read(after, count)).catch((error: unknown) => {
          if (!isTooLong(error)) throw error;
          if (count > 1) return reader.read(after, Math.ceil(count / 4));
          return hold({ holder, bytes: longAnswer.maxBytes }, () => large.readLong(after));
        }),
    };
    known.set(key, { ...engine, reader });
    return reader;
  };
}
