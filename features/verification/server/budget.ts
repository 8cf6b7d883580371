import type { ContractPlace } from '../../../apiserver/contracts.ts';
import { forCaller, type Store } from '../../../apiserver/store/kubeErrors.ts';
import { idOf } from '../../../core/api/ids.ts';
import { annotations, labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { budgetUsedUp } from '../../../core/lib/errors.ts';
import { isSameIncarnation } from '../../../core/networks/incarnation.ts';
import type { CompilerSettings } from '../api/settings.ts';
import type { VerifiedContractResource } from '../api/verifiedContract.ts';
import { verifiedContractType } from '../api/verifiedContract.ts';
import { listContracts } from './list.ts';

export interface BudgetDeps {
  kube: Pick<Store, 'list' | 'delete'>;
  limits: Pick<CompilerSettings, 'maxContracts' | 'maxMiB'>;
  /** The network of a workspace with this id, from the cache. */
  findNetwork(namespace: string, id: string): Stored<NetworkResource> | undefined;
  nowMs(): number;
}

/** Those that were never verified are kept so long for whoever asks why. */
const keptMs = 3600_000;
/** The rest goes with the next attempt. */
const maxDeleted = 50;

/**
 * Throws TooManyRequests if the network may not have another contract, or the workspace has no room left. Deletes the
 * contracts of chains that are gone first, and those that could not be verified.
 */
export async function checkBudget(deps: BudgetDeps, { network }: ContractPlace): Promise<void> {
  const { namespace } = network.metadata;
  const id = idOf(network);
  const all = await listContracts(deps.kube, { namespace });
  const { gone = [], kept = [] } = Object.groupBy(all, (contract) =>
    isGarbage(deps, contract) ? 'gone' : 'kept',
  );
  for (const { metadata } of gone.slice(0, maxDeleted)) {
    await forCaller(deps.kube.delete(verifiedContractType, metadata, { uid: metadata.uid })).catch(
      () => undefined,
    );
  }
  const { maxContracts, maxMiB } = deps.limits;
  const ofNetwork = kept.filter(({ metadata }) => metadata.labels?.[labels.network] === id);
  if (ofNetwork.length >= maxContracts) {
    const message = `the network has ${ofNetwork.length} verified contracts, as many as it may have (compilers.maxContracts)`;
    throw budgetUsedUp(message);
  }
  const bytes = kept.reduce((sum, contract) => sum + bytesOf(contract), 0);
  if (bytes < maxMiB * 1024 * 1024) return;
  const message = `the verified contracts of the workspace occupy ${maxMiB} MiB, as much as they may (compilers.maxMiB): delete networks that are not needed`;
  throw budgetUsedUp(message);
}

/** Only what is old: the cache may not know a new chain of the network yet. */
function isGarbage(deps: BudgetDeps, { metadata }: Stored<VerifiedContractResource>): boolean {
  if (deps.nowMs() - (parseRfc3339(metadata.creationTimestamp) ?? 0) < keptMs) return false;
  const network = deps.findNetwork(metadata.namespace, metadata.labels?.[labels.network] ?? '');
  if (network && !isSameIncarnation(network, metadata.labels?.[labels.incarnation])) return true;
  return metadata.annotations?.[annotations.contract] === undefined;
}

function bytesOf({ metadata }: Stored<VerifiedContractResource>): number {
  const { bytes } = JSON.parse(metadata.annotations?.[annotations.contract] ?? '{}');
  return Number(bytes ?? 0);
}
