import { chainTypes } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';

/** The chain id in a network's spec. */
export function namedChainIdOf({ spec: { chain } }: Stored<NetworkResource>): string | undefined {
  const spec = chain[chainTypes[chain.type].member];
  return spec && 'chainID' in spec ? spec.chainID : undefined;
}

/** The chain id from the spec, or else the assigned one. This is the key of the cache's index. */
export function chainIdIndex(network: Stored<NetworkResource>): string[] {
  const chainId = namedChainIdOf(network) ?? network.status?.chainID;
  return chainId === undefined ? [] : [chainId];
}

/** Whether a network other than `network` names or has the chain id of the `claimants`. */
export function isChainIdUsed(
  claimants: readonly Stored<NetworkResource>[],
  network: Stored<NetworkResource>,
): boolean {
  return claimants.some(({ metadata }) => metadata.uid !== network.metadata.uid);
}

/**
 * Whether one of `claimants` in its workspace has precedence over `network` for `chainId`: other workspaces neither take an id nor learn that
 * it is in use. A network that already has the id comes
 * first, then one that does not only share it by its snapshot, then the older one.
 */
export function isChainIdTaken(
  claimants: readonly Stored<NetworkResource>[],
  network: Stored<NetworkResource>,
  chainId: string,
): boolean {
  const holds = (candidate: Stored<NetworkResource>) => candidate.status?.chainID === chainId;
  const shares = ({ status }: Stored<NetworkResource>) => status?.from?.chainID === chainId;
  return claimants.some((other) => {
    if (other.metadata.uid === network.metadata.uid) return false;
    if (other.metadata.namespace !== network.metadata.namespace) return false;
    if (holds(other) !== holds(network)) return holds(other);
    // The clone may be the older object, but its chain is the younger one.
    if (shares(other) !== shares(network)) return shares(network);
    return seniority(other) < seniority(network);
  });
}

/** Sorts older networks first; the uid breaks ties within the same second. */
function seniority({ metadata }: Stored<NetworkResource>): string {
  return `${metadata.creationTimestamp} ${metadata.uid}`;
}
