import type { NetworkResource } from '../../core/api/resources/network.ts';
import { createEvmRpc, createRpcAgent } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { createWalletReader, type WalletReader } from './chain.ts';

const timeoutMs = 10_000;
/** A block of a development chain may hold as much as its gas limit allows. */
const maxBytes = 64 * 1024 * 1024;
const maxRemembered = 2_000;

/** Readers of chains. Each remembers what its node supports, until the node's address changes. */
export function createReaders(urlOf: (network: Stored<NetworkResource>) => string | undefined) {
  const agent = createRpcAgent();
  const known = createBoundedMap<string, { url: string; reader: WalletReader }>(maxRemembered);
  return (network: Stored<NetworkResource>, wallet: string): WalletReader | undefined => {
    const url = urlOf(network);
    if (url === undefined) return undefined;
    const key = `${network.metadata.uid}/${wallet}`;
    const present = known.get(key);
    if (present?.url === url) return present.reader;
    const reader = createWalletReader(createEvmRpc({ url, timeoutMs, maxBytes, agent }), wallet);
    known.set(key, { url, reader });
    return reader;
  };
}
