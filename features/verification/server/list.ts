import type { ListContracts, VerifiedEntry } from '../../../apiserver/contracts.ts';
import type { Store } from '../../../apiserver/store/kubeErrors.ts';
import { livePages } from '../../../apiserver/store/livePages.ts';
import { annotations, labels } from '../../../core/api/names.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import {
  contractSummarySchema,
  type VerifiedContractResource,
  verifiedContractType,
} from '../api/verifiedContract.ts';

const pageSize = 500;

/** Without their specs. */
export async function listContracts(
  kube: Pick<Store, 'list'>,
  where: { namespace: string; labelSelector?: string },
): Promise<Stored<VerifiedContractResource>[]> {
  const found: Stored<VerifiedContractResource>[] = [];
  const options = { ...where, isMetadataOnly: true, limit: pageSize };
  for await (const { items } of livePages(kube, verifiedContractType, options)) found.push(...items);
  return found;
}

/** What lists of other features show. */
export function createListVerified(kube: Pick<Store, 'list'>): ListContracts {
  return async ({ namespace, chain }) => {
    const labelSelector =
      chain && `${labels.network}=${chain.networkID},${labels.incarnation}=${chain.enclaveID}`;
    const all = await listContracts(kube, { namespace, ...compact({ labelSelector }) });
    return all.flatMap((one) => entryOf(one) ?? []);
  };
}

/** Of an object that was read without its spec; undefined unless it is verified. */
function entryOf({ metadata }: Stored<VerifiedContractResource>): VerifiedEntry | undefined {
  const text = metadata.annotations?.[annotations.contract];
  if (text === undefined) return undefined;
  const { address, name, compiler, match, verifiedAt } = contractSummarySchema.parse(JSON.parse(text));
  const { [labels.network]: networkID = '', [labels.incarnation]: enclaveID = '' } = metadata.labels ?? {};
  return { networkID, enclaveID, address, name, compiler, match, verifiedAt };
}
