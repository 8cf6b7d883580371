import { chainTypes } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';

/** The chain id that the spec of a network names. */
export function namedChainIdOf({ spec: { chain } }: Stored<NetworkResource>): string | undefined {
  const spec = chain[chainTypes[chain.type].member];
  return spec && 'chainID' in spec ? spec.chainID : undefined;
}

/** The chain id that a network names or was given; the key of the cache's index. */
export function chainIdIndex(network: Stored<NetworkResource>): string[] {
  const chainId = namedChainIdOf(network) ?? network.status?.chainID;
  return chainId === undefined ? [] : [chainId];
}

/**
 * Whether one of `claimants` has a better right to `chainId` than `network`: it has the id already while this one
 * has not, or both are alike in that and it is the older.
 */
export function isChainIdTaken(
  claimants: readonly Stored<NetworkResource>[],
  network: Stored<NetworkResource>,
  chainId: string,
): boolean {
  const holds = (candidate: Stored<NetworkResource>) => candidate.status?.chainID === chainId;
  return claimants.some((other) => {
    if (other.metadata.uid === network.metadata.uid) return false;
    if (holds(other) !== holds(network)) return holds(other);
    return seniority(other) < seniority(network);
  });
}

/** Sorts older networks first; the uid decides between those of one second. */
function seniority({ metadata }: Stored<NetworkResource>): string {
  return `${metadata.creationTimestamp} ${metadata.uid}`;
}
