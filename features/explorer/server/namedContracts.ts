import type { FindContract } from '../../../apiserver/contracts.ts';
import type { ObjectCache } from '../../../apiserver/store/cache.ts';
import { idOf } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { DeploymentStatus, TokenResource } from '../../../core/api/resources/tokenResource.ts';
import { definitionOf } from '../../../core/api/rules/tokenArgs.ts';
import { decimalsOf } from '../../../core/api/views/deployments.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { incarnationOf } from '../../../core/networks/incarnation.ts';
import type { NamedContract } from '../api/chain.ts';
import type { Abi, FindAbi } from './suiteAbis.ts';

export interface NamedContractsDeps {
  findContract: FindContract;
  tokens: Pick<ObjectCache<TokenResource>, 'inNamespace'>;
  findAbi: FindAbi;
}

/** A contract that belongs to a token on this chain. */
interface TokenPart {
  token: Stored<TokenResource>;
  deployed: DeploymentStatus;
  role: string;
}

/** The contracts at these addresses that are verified, or were deployed with a token, on the network's current chain. */
export async function namedContracts(
  deps: NamedContractsDeps,
  network: Stored<NetworkResource>,
  addresses: readonly string[],
): Promise<NamedContract[]> {
  const enclaveID = incarnationOf(network);
  if (enclaveID === undefined || addresses.length === 0) return [];
  const parts = tokenParts(deps, network, enclaveID);
  const found = await Promise.all(
    addresses.map(async (address) => {
      const part = parts.get(address.toLowerCase());
      const verified = await deps.findContract({ network, enclaveID, address });
      const token = part && tokenOf(part);
      if (verified) {
        return { address, origin: 'verified', ...(token ? { token } : {}), ...verified };
      }
      return part && token && { address, origin: 'token', token, ...(await abiOf(deps.findAbi, part)) };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** What tokens of the workspace have on this chain, by address in small letters. */
function tokenParts(
  { tokens }: NamedContractsDeps,
  network: Stored<NetworkResource>,
  enclaveID: string,
): Map<string, TokenPart> {
  const id = idOf(network);
  const parts = new Map<string, TokenPart>();
  for (const token of tokens.inNamespace(network.metadata.namespace)) {
    const deployments = token.status?.deployments ?? [];
    const here = deployments.filter((one) => one.networkID === id && one.enclaveID === enclaveID);
    for (const deployed of here) {
      for (const [role, address] of addressesOf(deployed)) {
        const key = address.toLowerCase();
        // A router serves several tokens: as a token, an address is that one's alone.
        if (role === 'token' || !parts.has(key)) parts.set(key, { token, deployed, role });
      }
    }
  }
  return parts;
}

function addressesOf({ tokenAddress, extraAddresses = {} }: DeploymentStatus): [string, string][] {
  return Object.entries({ ...extraAddresses, ...(tokenAddress ? { token: tokenAddress } : {}) });
}

function tokenOf({ token, deployed, role }: TokenPart): NonNullable<NamedContract['token']> {
  const { spec } = token;
  return { id: idOf(token), symbol: spec.symbol, decimals: decimalsOf(token, deployed), role };
}

/** The ABIs of all contracts that it may be, without what they share. */
async function abiOf(findAbi: FindAbi, { token, role }: TokenPart): Promise<{ name: string; abi: Abi }> {
  const { abis = {}, folder } = definitionOf(token.spec.type);
  const names = Object.hasOwn(abis, role) ? (abis[role] ?? []) : [];
  const found = await Promise.all(names.map((name) => findAbi(folder, name)));
  const entries = found.flatMap((abi) => abi ?? []);
  const distinct = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  return { name: names.join(' or ') || role, abi: [...distinct.values()] };
}
