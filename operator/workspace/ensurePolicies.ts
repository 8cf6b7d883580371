import { fieldManagers, labels } from '../../core/api/names.ts';
import { type KubeObject, ownerReferenceTo, type Stored } from '../../core/api/resources/kubeObject.ts';
import { syncChildren } from '../../core/kube/apply/syncChildren.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import { type Namespace, namespaceType } from '../../core/kube/types.ts';
import { firstKeyEpochNow } from '../../core/networks/firstKeyEpoch.ts';
import type { WorkspaceDeps } from './deps.ts';
import { limitRangeType, networkPolicyType, resourceQuotaType, roleBindingType } from './kinds.ts';
import {
  bindingsOf,
  budgetsOf,
  isNamespaceOf,
  namespaceName,
  policiesOf,
  type WorkspaceNamespace,
} from './workspaceNamespace.ts';

/**
 * Finds or creates the namespace, and returns it. `taken`: the operator did not create the existing one for this
 * workspace.
 */
export async function makeNamespace(
  { kube, caches }: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
): Promise<Stored<Namespace> | 'taken' | 'ending'> {
  const wanted = namespaceName(workspaceNamespace);
  const found =
    caches.namespaces.get({ name: workspaceNamespace.namespace }) ?? (await findOrCreate(kube, wanted));
  if (!isNamespaceOf(workspaceNamespace, found)) return 'taken';
  if (found.metadata.deletionTimestamp) return 'ending';
  const { labels: marks = {}, annotations: notes = {} } = wanted.metadata;
  const isMarked = hasAll(found.metadata.labels, marks) && hasAll(found.metadata.annotations, notes);
  if (isMarked) return found;
  return kube.patch(namespaceType, found.metadata, { metadata: { labels: marks, annotations: notes } });
}

function hasAll(found: Record<string, string> = {}, wanted: Record<string, string>): boolean {
  return Object.entries(wanted).every(([key, value]) => found[key] === value);
}

async function findOrCreate(kube: WorkspaceDeps['kube'], wanted: Namespace): Promise<Stored<Namespace>> {
  const live = await kube.get(namespaceType, wanted.metadata);
  if (live) return live;
  const notes = { ...wanted.metadata.annotations, ...(await firstKeyEpochNow(kube)) };
  const fresh = { ...wanted, metadata: { ...wanted.metadata, annotations: notes } };
  return (await createOrFind(kube, namespaceType, fresh)).object;
}

/**
 * Applies the network policies and budgets first, and only then grants the operator the right to run pods in the namespace.
 */
export async function ensurePolicies(
  deps: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
  { namespace, objectBudget }: Contents,
): Promise<void> {
  const { networkPolicies, resourceQuotas, limitRanges } = deps.caches;
  const observed = [networkPolicies, resourceQuotas, limitRanges].flatMap<Stored<KubeObject>>((cache) =>
    cache.byIndex('workspaceNamespace', workspaceNamespace.id),
  );
  const desired = [...policiesOf(workspaceNamespace), ...budgetsOf(workspaceNamespace), ...objectBudget];
  await sync(deps, workspaceNamespace, { desired, observed, namespace });
  await ensureRoleBindings(deps, workspaceNamespace, namespace);
}

/** The chart manages the namespace of the default workspace, except for the budget of custom resources. */
export async function ensureObjectBudget(
  deps: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
  objectBudget: KubeObject[],
): Promise<void> {
  const namespace = await deps.kube.get(namespaceType, { name: workspaceNamespace.namespace });
  if (!namespace) return;
  const observed = deps.caches.resourceQuotas.byIndex('workspaceNamespace', workspaceNamespace.id);
  await sync(deps, workspaceNamespace, { desired: objectBudget, observed, namespace });
}

/** Grants the operator its rights in the namespace, which it also needs to delete the namespace. */
export async function ensureRoleBindings(
  deps: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
  namespace: Stored<Namespace>,
): Promise<void> {
  const observed = deps.caches.roleBindings.byIndex('workspaceNamespace', workspaceNamespace.id);
  await sync(deps, workspaceNamespace, { desired: bindingsOf(workspaceNamespace), observed, namespace });
}

interface Contents {
  namespace: Stored<Namespace>;
  objectBudget: KubeObject[];
}

interface Sync {
  namespace: Stored<Namespace>;
  desired: KubeObject[];
  observed: Stored<KubeObject>[];
}

async function sync(
  { kube }: WorkspaceDeps,
  { id }: WorkspaceNamespace,
  { desired, observed, namespace }: Sync,
): Promise<void> {
  const { name, uid } = namespace.metadata;
  const { refused } = await syncChildren(kube, {
    desired,
    observed: observed.filter((object) => object.metadata.namespace === name),
    namespace: name,
    ownerReferences: [ownerReferenceTo(namespace)],
    isOurs: ownedBy({ metadata: { uid, namespace: name } }),
    // A policy of somebody else with the same name is taken over, so that nobody can prevent ours.
    isTakingOver: true,
    labels: { [labels.workspaceNamespace]: id },
    fieldManager: fieldManagers.operator,
    types: [networkPolicyType, roleBindingType, resourceQuotaType, limitRangeType],
  });
  // Nothing is granted in a namespace without its policies.
  if (refused.length > 0) throw new Error(refused.map(({ message }) => message).join('; '));
}
