import type { ContractPlace, FindContract } from '../../../apiserver/contracts.ts';
import type { Charge } from '../../../apiserver/http/limits/price.ts';
import type { ObjectCache } from '../../../apiserver/store/cache.ts';
import { idOf } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { TokenResource } from '../../../core/api/resources/tokenResource.ts';
import { definitionOf } from '../../../core/api/rules/tokenArgs.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { incarnationOf } from '../../../core/networks/incarnation.ts';
import type { NamedContract } from '../api/chain.ts';
import type { Abi, FindAbi } from './suiteAbis.ts';
import { contractsOf, keyOf, nameOf, type TokenPart, tokenOf, tokenParts } from './tokenParts.ts';

export interface NamedContractsDeps {
  findContract: FindContract;
  tokens: Pick<ObjectCache<TokenResource>, 'inNamespace'>;
  findAbi: FindAbi;
}

/** What reading contracts costs. */
export interface Costs {
  charge: Charge;
  /** Memory of the caller's account, in bytes. May throw. */
  take(bytes: number): void;
}

/** Its ABI is JSON already: one of a megabyte is neither parsed nor written again. */
type Named = Omit<NamedContract, 'abi'> & { abi: string };

/**
 * The contracts at these addresses that are verified, or were deployed with a token, on the network's current chain: each once, as
 * JSON.
 */
export async function namedContracts(
  deps: NamedContractsDeps,
  network: Stored<NetworkResource>,
  { addresses, ...costs }: Costs & { addresses: readonly string[] },
): Promise<string[]> {
  const enclaveID = incarnationOf(network);
  if (enclaveID === undefined || addresses.length === 0) return [];
  const parts = tokenParts(deps.tokens.inNamespace(network.metadata.namespace), [network]);
  const found = await Promise.all(
    distinct(addresses).map(async (address) => {
      const part = parts.get(keyOf(idOf(network), address));
      const named = await namedContract(deps, { network, enclaveID, address }, { part, ...costs });
      if (named) costs.take(named.abi.length);
      return named && jsonOf(named);
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** Each address once, as it is written first. */
function distinct(addresses: readonly string[]): string[] {
  const written = new Map(addresses.toReversed().map((address) => [address.toLowerCase(), address]));
  return [...written.values()].toReversed();
}

async function namedContract(
  { findContract, findAbi }: NamedContractsDeps,
  place: ContractPlace,
  { part, charge }: { part: TokenPart | undefined; charge: Charge },
): Promise<Named | undefined> {
  const { address } = place;
  const token = part && tokenOf(part);
  const verified = await findContract(place, charge);
  if (verified) return { address, origin: 'verified', ...(token ? { token } : {}), ...verified };
  if (!part || !token) return undefined;
  const abi = JSON.stringify(await abiOf(findAbi, part));
  return { address, origin: 'token', token, name: nameOf(part), abi };
}

function jsonOf({ abi, ...rest }: Named): string {
  return `${JSON.stringify(rest).slice(0, -1)},"abi":${abi}}`;
}

/** The ABIs of all contracts that it may be, without what they share. */
async function abiOf(findAbi: FindAbi, part: TokenPart): Promise<Abi> {
  const { folder } = definitionOf(part.token.spec.type);
  const found = await Promise.all(contractsOf(part).map((name) => findAbi(folder, name)));
  const entries = found.flatMap((abi) => abi ?? []);
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}
