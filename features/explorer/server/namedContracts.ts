import type { FindContract } from '../../../apiserver/contracts.ts';
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

/** The contracts at these addresses that are verified, or were deployed with a token, on the network's current chain. */
export async function namedContracts(
  deps: NamedContractsDeps,
  network: Stored<NetworkResource>,
  addresses: readonly string[],
): Promise<NamedContract[]> {
  const enclaveID = incarnationOf(network);
  if (enclaveID === undefined || addresses.length === 0) return [];
  const parts = tokenParts(deps.tokens.inNamespace(network.metadata.namespace), [network]);
  const found = await Promise.all(
    addresses.map(async (address) => {
      const part = parts.get(keyOf(idOf(network), address));
      const verified = await deps.findContract({ network, enclaveID, address });
      const token = part && tokenOf(part);
      if (verified) {
        return { address, origin: 'verified', ...(token ? { token } : {}), ...verified };
      }
      if (!part || !token) return undefined;
      return { address, origin: 'token', token, name: nameOf(part), abi: await abiOf(deps.findAbi, part) };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** The ABIs of all contracts that it may be, without what they share. */
async function abiOf(findAbi: FindAbi, part: TokenPart): Promise<Abi> {
  const { folder } = definitionOf(part.token.spec.type);
  const found = await Promise.all(contractsOf(part).map((name) => findAbi(folder, name)));
  const entries = found.flatMap((abi) => abi ?? []);
  const distinct = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  return [...distinct.values()];
}
