import { idOf } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { DeploymentStatus, TokenResource } from '../../../core/api/resources/tokenResource.ts';
import { definitionOf } from '../../../core/api/rules/tokenArgs.ts';
import { decimalsOf } from '../../../core/api/views/deployments.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { isSameIncarnation } from '../../../core/networks/incarnation.ts';
import type { NamedContract } from '../api/chain.ts';

/** A contract that belongs to a token, on the current chain of a network. */
export interface TokenPart {
  network: Stored<NetworkResource>;
  address: string;
  token: Stored<TokenResource>;
  deployed: DeploymentStatus;
  role: string;
}

/** Names a contract among those of several networks. */
export function keyOf(networkID: string, address: string): string {
  return `${networkID}/${address.toLowerCase()}`;
}

/** What these tokens have on the current chains of these networks, by `keyOf`. */
export function tokenParts(
  tokens: readonly Stored<TokenResource>[],
  networks: readonly Stored<NetworkResource>[],
): Map<string, TokenPart> {
  const byId = new Map(networks.map((network) => [idOf(network), network]));
  const parts = new Map<string, TokenPart>();
  for (const token of tokens) {
    for (const part of partsOf(token, byId)) {
      const key = keyOf(idOf(part.network), part.address);
      // A router serves several tokens: as a token, an address is that one's alone.
      if (part.role === 'token' || !parts.has(key)) parts.set(key, part);
    }
  }
  return parts;
}

function partsOf(
  token: Stored<TokenResource>,
  networks: ReadonlyMap<string, Stored<NetworkResource>>,
): TokenPart[] {
  const deployments = token.status?.deployments ?? [];
  return deployments.flatMap((deployed) => {
    const network = networks.get(deployed.networkID ?? '');
    const isHere = deployed.enclaveID !== undefined && isSameIncarnation(network, deployed.enclaveID);
    if (!network || !isHere) return [];
    return addressesOf(deployed).map(([role, address]) => ({ network, address, token, deployed, role }));
  });
}

/** What a deployment says of itself has numbers, too: the decimals of what it wraps, or the id of an endpoint. */
function addressesOf({ tokenAddress, extraAddresses = {} }: DeploymentStatus): [string, string][] {
  const all = Object.entries({ ...extraAddresses, ...(tokenAddress ? { token: tokenAddress } : {}) });
  return all.filter(([, value]) => /^0x[0-9a-fA-F]{40}$/.test(value));
}

export function tokenOf({ token, deployed, role }: TokenPart): NonNullable<NamedContract['token']> {
  const { name, symbol } = token.spec;
  return { id: idOf(token), name, symbol, decimals: decimalsOf(token, deployed), role };
}

/** The contracts of the suite that it may be. */
export function contractsOf({ token, role }: TokenPart): readonly string[] {
  const { abis = {} } = definitionOf(token.spec.type);
  return Object.hasOwn(abis, role) ? (abis[role] ?? []) : [];
}

export function nameOf(part: TokenPart): string {
  return contractsOf(part).join(' or ') || part.role;
}
