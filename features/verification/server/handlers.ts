import type { Handler, Handlers } from '../../../apiserver/http/pipeline/handler.ts';
import type { Store } from '../../../apiserver/store/kubeErrors.ts';
import type { StoredKinds } from '../../../apiserver/store/storedKinds.ts';
import { idOf } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { describeNetwork } from '../../../core/api/views/networkView.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { incarnationOf } from '../../../core/networks/incarnation.ts';
import type { ContractSummary, VerifiedContractSpec } from '../api/verifiedContract.ts';
import { listContracts } from './budget.ts';
import { findContract, priceOfDetails, summaryOf, unpackDetails } from './contracts.ts';

export interface ContractHandlersDeps {
  kube: Pick<Store, 'get' | 'list'>;
  kinds: Pick<StoredKinds, 'networks'>;
}

/** What was verified on the current chain of a network. Neither wakes the network nor counts as activity. */
export function createContractHandlers(deps: ContractHandlersDeps) {
  return { listContracts: list(deps), getContract: get(deps) } satisfies Handlers;
}

function list({ kube, kinds }: ContractHandlersDeps): Handler<'listContracts'> {
  return async ({ principal, params }) => {
    const network = await kinds.networks.find(principal.namespace, params.id);
    const items = await summariesOf(kube, network);
    items.sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1));
    return { body: { kind: 'ContractList', version: 'v1alpha', items }, objects: [describeNetwork(network)] };
  };
}

async function summariesOf(
  kube: Pick<Store, 'list'>,
  network: Stored<NetworkResource>,
): Promise<ContractSummary[]> {
  const { namespace } = network.metadata;
  const enclaveID = incarnationOf(network);
  if (enclaveID === undefined) return [];
  const labelSelector = `${labels.network}=${idOf(network)},${labels.incarnation}=${enclaveID}`;
  return (await listContracts(kube, { namespace, labelSelector })).flatMap((one) => summaryOf(one) ?? []);
}

function get({ kube, kinds }: ContractHandlersDeps): Handler<'getContract'> {
  return async ({ principal, params: { id, address }, charge }) => {
    const network = await kinds.networks.find(principal.namespace, id);
    const enclaveID = incarnationOf(network);
    const found =
      enclaveID === undefined ? undefined : await findContract(kube, { network, enclaveID, address });
    const verified = found?.spec.verified;
    if (!verified) {
      const remedy = 'verify it at the endpoint "verify" of the network';
      throw new AppError('NotFound', `no verified contract at this address: ${remedy}`);
    }
    charge(priceOfDetails(verified.data));
    return { body: toContract(verified), objects: [describeNetwork(network)] };
  };
}

function toContract({ data, ...summary }: NonNullable<VerifiedContractSpec['verified']>) {
  const { abi, input } = unpackDetails(data);
  const sources = Object.entries(input.sources).map(([path, { content }]) => [path, content] as const);
  const { settings } = input;
  return {
    kind: 'Contract' as const,
    version: 'v1alpha' as const,
    ...summary,
    abi,
    sources: Object.fromEntries(sources),
    settings,
  };
}
