import type { CountedBudget } from '../../../apiserver/budget.ts';
import type { Principal } from '../../../apiserver/http/auth/principal.ts';
import type { ObjectCache } from '../../../apiserver/store/cache.ts';
import type { Store } from '../../../apiserver/store/kubeErrors.ts';
import type { StoredKinds } from '../../../apiserver/store/storedKinds.ts';
import { listLive } from '../../../apiserver/workspaces/list.ts';
import type { BudgetName } from '../../../core/api/budgets.ts';
import type { Installation } from '../../../core/api/installation.ts';
import type { NamespacedObject } from '../../../core/api/resources/kubeObject.ts';
import { apiKeyType } from '../../../core/api/resources/resources.ts';
import { waitsForPersistence, wantsPersistence } from '../../../core/api/rules/persistentQuota.ts';
import { compact } from '../../../core/lib/compact.ts';
import { cachedIn, mib } from '../../../core/storage/budget.ts';
import type { StorageLedger } from '../../../core/storage/ledger.ts';
import type { UsedBudget } from '../api/usage.ts';

export interface BudgetDeps {
  kube: Pick<Store, 'list'>;
  /** The namespace of the service. */
  namespace: string;
  kinds: Pick<StoredKinds, 'networks' | 'secrets' | 'tokens' | 'recordings' | 'snapshots'>;
  /** Those of features. */
  budgets: readonly CountedBudget[];
  quota: Pick<
    Installation['quota'],
    | 'persistentNetworks'
    | 'snapshots'
    | 'workspaceSnapshotsMiB'
    | 'workspaceStoredMiB'
    | 'workspaceCachedMiB'
    | 'apiKeys'
  >;
  storage: Pick<StorageLedger, 'usedIn'>;
  /** spec.hard of the ResourceQuota of each workspace's namespace. */
  resourceQuota: Installation['workspaces']['resourceQuota'];
}

/** What the workspace of the caller may have, and has. */
export async function budgetsOf(deps: BudgetDeps, principal: Principal): Promise<UsedBudget[]> {
  const { kinds, quota } = deps;
  const { namespace, userId } = principal;
  const countOf = <T extends NamespacedObject>({ cache }: { cache: Pick<ObjectCache<T>, 'inNamespace'> }) =>
    cache.inNamespace(namespace).length;
  const persistent = kinds.networks.cache
    .inNamespace(namespace)
    .filter((network) => wantsPersistence(network) && !waitsForPersistence(network)).length;
  const snapshots = kinds.snapshots.cache.inNamespace(namespace);
  const bytes = snapshots.reduce((sum, { status }) => sum + (status?.bytes ?? 0), 0);
  const keys = await listLive(deps, apiKeyType, { 'spec.user': userId });
  const stored = deps.storage.usedIn(namespace);
  const hard = (plural: string) => hardLimit(deps.resourceQuota, plural);
  return [
    budget('networks', countOf(kinds.networks), hard('networks')),
    budget('persistentNetworks', persistent, quota.persistentNetworks),
    budget('secrets', countOf(kinds.secrets), hard('secrets')),
    budget('tokens', countOf(kinds.tokens), hard('tokens')),
    budget('recordings', countOf(kinds.recordings), hard('recordings')),
    budget('snapshots', snapshots.length, least(quota.snapshots, hard('snapshots'))),
    budget('snapshotBytes', bytes, quota.workspaceSnapshotsMiB * mib),
    budget('storedBytes', stored.bytes, quota.workspaceStoredMiB * mib),
    budget('cachedBytes', cachedIn(stored), quota.workspaceCachedMiB * mib),
    ...deps.budgets.map(({ name, plural, kind, max }) =>
      budget(name, countOf(kind), least(max, hard(plural))),
    ),
    budget('apiKeys', keys.length, quota.apiKeys),
  ];
}

function budget(name: BudgetName, used: number, max: number | undefined): UsedBudget {
  return { name, used, ...compact({ max }) };
}

/** Quantities with suffixes, such as 1k, are not used for counts of objects. */
function hardLimit(hard: BudgetDeps['resourceQuota'], plural: string): number | undefined {
  const max = Number(hard[`count/${plural}.slipway.dev`]);
  return Number.isSafeInteger(max) ? max : undefined;
}

function least(one: number, other: number | undefined): number {
  return other === undefined ? one : Math.min(one, other);
}
