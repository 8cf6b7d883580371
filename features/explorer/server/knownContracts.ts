import type { ListContracts, VerifiedEntry } from '../../../apiserver/contracts.ts';
import type { ObjectCache } from '../../../apiserver/store/cache.ts';
import { idOf } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { TokenResource } from '../../../core/api/resources/tokenResource.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { incarnationOf, isSameIncarnation } from '../../../core/networks/incarnation.ts';
import type { KnownContract } from '../api/contracts.ts';
import { keyOf, nameOf, type TokenPart, tokenOf, tokenParts } from './tokenParts.ts';

export interface KnownContractsDeps {
  listContracts: ListContracts;
  tokens: Pick<ObjectCache<TokenResource>, 'inNamespace'>;
}

type Network = Stored<NetworkResource>;

/** What is known by name on the current chain of a network. */
export async function contractsOfNetwork(
  deps: KnownContractsDeps,
  network: Network,
): Promise<KnownContract[]> {
  const { namespace } = network.metadata;
  const [networkID, enclaveID] = [idOf(network), incarnationOf(network)];
  if (enclaveID === undefined) return [];
  return known(deps, { namespace, networks: [network], chain: { networkID, enclaveID } });
}

/** The same on those of all these networks, which are in one workspace. */
export function contractsOfAll(
  deps: KnownContractsDeps,
  namespace: string,
  networks: readonly Network[],
): Promise<KnownContract[]> {
  return known(deps, { namespace, networks });
}

type Where = Parameters<ListContracts>[0] & { networks: readonly Network[] };

/** By network and address. What is verified goes before what a token says of it. */
async function known(
  { listContracts, tokens }: KnownContractsDeps,
  { networks, ...where }: Where,
): Promise<KnownContract[]> {
  const parts = tokenParts(tokens.inNamespace(where.namespace), networks);
  const found = new Map([...parts].map(([key, part]) => [key, contractOfToken(part)]));
  const byId = new Map(networks.map((network) => [idOf(network), network]));
  for (const entry of await listContracts(where)) {
    const network = byId.get(entry.networkID);
    if (!network || !isSameIncarnation(network, entry.enclaveID)) continue;
    const key = keyOf(entry.networkID, entry.address);
    found.set(key, verifiedContract(entry, network, parts.get(key)));
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, contract]) => contract);
}

function contractOfToken(part: TokenPart): KnownContract {
  const { network, address } = part;
  return {
    address,
    name: nameOf(part),
    origin: 'token',
    networkID: idOf(network),
    network: network.metadata.name,
    token: tokenOf(part),
  };
}

function verifiedContract(
  { enclaveID: _chain, ...entry }: VerifiedEntry,
  network: Network,
  part: TokenPart | undefined,
): KnownContract {
  const token = part && tokenOf(part);
  return { ...entry, origin: 'verified', network: network.metadata.name, ...compact({ token }) };
}
