import type { Charge } from '../../../apiserver/http/limits/price.ts';
import type { Handler, Handlers } from '../../../apiserver/http/pipeline/handler.ts';
import type { Store } from '../../../apiserver/store/kubeErrors.ts';
import type { StoredKinds } from '../../../apiserver/store/storedKinds.ts';
import { describeNetwork } from '../../../core/api/views/networkView.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { incarnationOf } from '../../../core/networks/incarnation.ts';
import type { VerifiedContractSpec } from '../api/verifiedContract.ts';
import { findContract } from './contracts.ts';
import { detailsOf } from './details.ts';

export interface ContractHandlersDeps {
  kube: Pick<Store, 'get'>;
  kinds: Pick<StoredKinds, 'networks'>;
}

/** What was verified on the current chain of a network. Neither wakes the network nor counts as activity. */
export function createContractHandlers(deps: ContractHandlersDeps) {
  return { getContract: get(deps) } satisfies Handlers;
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
    return { body: await toContract(verified, charge), objects: [describeNetwork(network)] };
  };
}

async function toContract(verified: NonNullable<VerifiedContractSpec['verified']>, charge: Charge) {
  const { data: _packed, abi: _alone, ...summary } = verified;
  const { abi, input } = await detailsOf(verified, charge);
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
