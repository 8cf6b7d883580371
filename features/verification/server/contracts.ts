import type { ContractPlace } from '../../../apiserver/contracts.ts';
import { forCaller, type Store } from '../../../apiserver/store/kubeErrors.ts';
import { updateLive } from '../../../apiserver/store/updateLive.ts';
import { idOf } from '../../../core/api/ids.ts';
import { annotations, apiVersion, labels } from '../../../core/api/names.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import {
  type VerifiedContractResource,
  type VerifiedContractSpec,
  verifiedContractType,
} from '../api/verifiedContract.ts';
import { lengthOf } from './details.ts';

export type ContractStore = Pick<Store, 'get' | 'list' | 'create' | 'replace' | 'delete'>;

type Attempt = VerifiedContractSpec['attempt'];

/** The name of what is known of a contract, by the id of its network and the incarnation that it was created on. */
function contractNameOf({ id, enclaveID, address }: Omit<ContractPlace, 'network'> & { id: string }): string {
  return `contract-${hashOf([id, enclaveID, address.toLowerCase()]).slice(0, 40)}`;
}

function refOf({ network, enclaveID, address }: ContractPlace) {
  const { namespace } = network.metadata;
  return { namespace, name: contractNameOf({ id: idOf(network), enclaveID, address }) };
}

export async function findContract(
  kube: Pick<Store, 'get'>,
  place: ContractPlace,
): Promise<Stored<VerifiedContractResource> | undefined> {
  return forCaller(kube.get(verifiedContractType, refOf(place)));
}

/** Stores that an attempt has begun; a contract that is verified already stays so. */
export async function storeAttempt(
  kube: ContractStore,
  place: ContractPlace,
  attempt: Attempt,
): Promise<Stored<VerifiedContractResource>> {
  const existing = await findContract(kube, place);
  if (!existing) return forCaller(kube.create(verifiedContractType, newContract(place, attempt)));
  return forCaller(kube.replace(verifiedContractType, { ...existing, spec: { ...existing.spec, attempt } }));
}

/** Stores the end of an attempt, unless a later one has begun; with `verified`, that it succeeded. */
export async function storeOutcome(
  kube: ContractStore,
  place: ContractPlace,
  { attempt, verified }: Pick<VerifiedContractSpec, 'attempt' | 'verified'>,
): Promise<void> {
  const absent = () => new AppError('NotFound', 'the contract or its network was deleted meanwhile');
  await updateLive(kube, { type: verifiedContractType, ...refOf(place), absent }, (current) => {
    if (current.spec.attempt.id !== attempt.id) return current;
    const { metadata, spec } = current;
    if (!verified || isKept(spec.verified, verified)) return { ...current, spec: { ...spec, attempt } };
    const { data, abi, ...summary } = verified;
    const listed = JSON.stringify({ ...summary, bytes: lengthOf(verified) });
    const noted = { ...metadata.annotations, [annotations.contract]: listed };
    return {
      ...current,
      metadata: { ...metadata, annotations: noted },
      spec: { ...spec, attempt, verified },
    };
  });
}

type Verified = VerifiedContractSpec['verified'];

/** Whoever has the URL may submit sources: only a better match of the same code replaces what is stored. */
function isKept(stored: Verified, offered: NonNullable<Verified>): boolean {
  return stored?.codeHash === offered.codeHash && rankOf(stored) >= rankOf(offered);
}

const ranks = { exact_match: 2, match: 1 } as const;

function rankOf({ match, creationMatch }: NonNullable<Verified>): number {
  return ranks[match] * 3 + (creationMatch ? ranks[creationMatch] : 0);
}

function newContract(place: ContractPlace, attempt: Attempt): VerifiedContractResource {
  const { network, enclaveID, address } = place;
  const { name, uid } = network.metadata;
  return {
    apiVersion,
    kind: 'VerifiedContract',
    metadata: {
      ...refOf(place),
      labels: compact({
        [labels.network]: idOf(network),
        [labels.incarnation]: enclaveID,
        [labels.workspace]: network.metadata.labels?.[labels.workspace],
      }),
      ownerReferences: [{ apiVersion, kind: 'Network', name, uid, controller: true }],
    },
    spec: { network: name, networkID: idOf(network), enclaveID, address, attempt },
  };
}
