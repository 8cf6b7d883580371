import type { Cursors } from '../../../apiserver/http/paging/cursor.ts';
import { listPage } from '../../../apiserver/http/paging/list.ts';
import type { Call, Handler, Handlers } from '../../../apiserver/http/pipeline/handler.ts';
import type { ObjectCache } from '../../../apiserver/store/cache.ts';
import type { Find } from '../../../apiserver/store/find.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { describeNetwork } from '../../../core/api/views/networkView.ts';
import { compact } from '../../../core/lib/compact.ts';
import { isPresent } from '../../../core/networks/incarnation.ts';
import type { KnownContract } from '../api/contracts.ts';
import { contractsOfAll, contractsOfNetwork, type KnownContractsDeps } from './knownContracts.ts';
import { keyOf } from './tokenParts.ts';

export interface ContractHandlersDeps extends KnownContractsDeps {
  find: Find<NetworkResource>;
  networks: Pick<ObjectCache<NetworkResource>, 'inNamespace'>;
  cursors: Cursors;
}

/** So many contracts cost as much to read as a request. */
const contractsPerRequest = 100;

/** What is known of contracts, without asking a chain. */
export function createContractHandlers(deps: ContractHandlersDeps) {
  return {
    listContracts: listContracts(deps),
    listWorkspaceContracts: listWorkspaceContracts(deps),
  } satisfies Handlers;
}

function listContracts(deps: ContractHandlersDeps): Handler<'listContracts'> {
  return async (call) => {
    const network = await deps.find(call.principal.namespace, call.params.id);
    const contracts = await contractsOfNetwork(deps, network);
    const json = page(deps.cursors, call, { endpoint: `listContracts/${call.params.id}`, contracts });
    return { json, objects: [describeNetwork(network)] };
  };
}

function listWorkspaceContracts(deps: ContractHandlersDeps): Handler<'listWorkspaceContracts'> {
  return async (call) => {
    const { namespace } = call.principal;
    const networks = deps.networks.inNamespace(namespace).filter((network) => isPresent(network));
    const contracts = await contractsOfAll(deps, namespace, networks);
    call.charge(Math.floor(contracts.length / contractsPerRequest));
    return { json: page(deps.cursors, call, { endpoint: 'listWorkspaceContracts', contracts }) };
  };
}

interface Listed {
  endpoint: string;
  contracts: readonly KnownContract[];
}

function page(
  cursors: Cursors,
  { principal, query }: Pick<Call<'listWorkspaceContracts'>, 'principal' | 'query'>,
  { endpoint, contracts }: Listed,
): Buffer {
  const { limit, cursor, name } = query;
  const { json } = listPage(
    {
      kind: 'ContractList',
      version: 'v1alpha',
      endpoint,
      principal,
      query: compact({ limit, cursor }),
      filters: name ? [{ field: 'name', operator: '==', value: name }] : [],
      selectable: [],
      itemsFor: () => contracts,
      keyOf: ({ networkID, address }) => keyOf(networkID, address),
      // The condition is not a plain comparison: where it is met, the field reads as the wanted value.
      readField: (contract) => (hasName(contract, name) ? name : undefined),
      toJson: (contract) => JSON.stringify(contract),
    },
    cursors,
  );
  return json;
}

function hasName({ name, token }: KnownContract, part = ''): boolean {
  const wanted = part.toLowerCase();
  const names = [name, token?.name, token?.symbol];
  return names.some((one) => one?.toLowerCase().includes(wanted));
}
