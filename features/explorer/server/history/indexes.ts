import type { Shares } from '../../../../core/accounts/shares/shares.ts';
import type { NetworkResource } from '../../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../../core/api/resources/networkStatus.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { type ChainIndex, createChainIndex } from './chainIndex.ts';

/** How many entries are kept, each some 600 bytes: of a network, of all networks of an account, and of all. */
const usualLimits = { network: 30_000, account: 60_000, all: 120_000 };
/** How many networks have an index. */
const maxIndexes = 500;

/** The indexes of the chains that were looked at last. */
export interface Indexes {
  /** The index of the chain that the network has now. */
  of(network: Stored<NetworkResource>, enclaveID: string): ChainIndex;
  /** Forgets those that were used longest ago, while there are more entries than may be kept. */
  trim(): void;
}

interface Kept {
  enclaveID: string;
  share: string;
  index: ChainIndex;
}

export function createIndexes(shares: Pick<Shares, 'of'>, limits = usualLimits): Indexes {
  /** By uid of the network, those that were used last at the end. */
  const kept = new Map<string, Kept>();

  /** Forgets those of `share`, or of all, that were used longest ago, but never the last one. */
  function forget(isMeant: (one: Kept) => boolean, maxSize: number): void {
    const meant = [...kept].filter(([, one]) => isMeant(one));
    let size = meant.reduce((sum, [, { index }]) => sum + index.size, 0);
    for (const [uid, { index }] of meant.slice(0, -1)) {
      if (size <= maxSize) return;
      kept.delete(uid);
      size -= index.size;
    }
  }

  return {
    of({ metadata, status }, enclaveID) {
      const { uid, namespace } = metadata;
      const known = kept.get(uid);
      const first = firstBlockOf(status);
      const own = {
        enclaveID,
        share: shares.of(namespace),
        index:
          known?.enclaveID === enclaveID ? known.index : createChainIndex({ first, maxSize: limits.network }),
      };
      kept.delete(uid);
      kept.set(uid, own);
      return own.index;
    },
    trim() {
      for (const share of new Set([...kept.values()].map((one) => one.share)))
        forget((one) => one.share === share, limits.account);
      forget(() => true, limits.all);
      const [oldest] = kept.keys();
      if (kept.size > maxIndexes && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** The first block that is the network's own. */
export function firstBlockOf(status: NetworkStatus | undefined): number {
  return Number(status?.fork?.block ?? -1) + 1;
}
