import { fieldManagers, labels } from '../../core/api/names.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';
import { syncChildren } from '../../core/kube/apply/syncChildren.ts';
import { type Namespace, namespaceType } from '../../core/kube/types.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { WorkspaceDeps } from './deps.ts';
import { networkPolicyType, roleBindingType } from './kinds.ts';
import {
  bindingsOf,
  isNamespaceOf,
  namespaceName,
  policiesOf,
  type WorkspaceNamespace,
} from './workspaceNamespace.ts';

/** Finds or creates the namespace. `taken`: the operator did not create the existing one for this workspace. */
export async function makeNamespace(
  { kube, caches }: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
): Promise<'ours' | 'taken' | 'ending'> {
  const wanted = namespaceName(workspaceNamespace);
  const found =
    caches.namespaces.get({ name: workspaceNamespace.namespace }) ?? (await findOrCreate(kube, wanted));
  if (!isNamespaceOf(workspaceNamespace.id, found)) return 'taken';
  if (found.metadata.deletionTimestamp) return 'ending';
  const labelsNow = found.metadata.labels ?? {};
  const isLabelled = Object.entries(wanted.metadata.labels ?? {}).every(
    ([key, value]) => labelsNow[key] === value,
  );
  if (!isLabelled)
    await kube.patch(namespaceType, found.metadata, { metadata: { labels: wanted.metadata.labels } });
  return 'ours';
}

async function findOrCreate(kube: WorkspaceDeps['kube'], wanted: Namespace): Promise<Namespace> {
  const live = await kube.get(namespaceType, wanted.metadata);
  if (live) return live;
  try {
    return await kube.create(namespaceType, wanted);
  } catch (error) {
    const other = isAppError(error, 'Conflict') ? await kube.get(namespaceType, wanted.metadata) : undefined;
    if (other) return other;
    throw error;
  }
}

/** Applies the network policies first, and only then grants the operator the right to run pods in the namespace. */
export async function ensurePolicies(
  deps: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
): Promise<void> {
  const observed = deps.caches.networkPolicies.byIndex('workspaceNamespace', workspaceNamespace.id);
  await sync(deps, workspaceNamespace, { desired: policiesOf(workspaceNamespace), observed });
  await ensureRoleBindings(deps, workspaceNamespace);
}

/** Grants the operator its rights in the namespace, which it also needs to delete the namespace. */
export async function ensureRoleBindings(
  deps: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
): Promise<void> {
  const observed = deps.caches.roleBindings.byIndex('workspaceNamespace', workspaceNamespace.id);
  await sync(deps, workspaceNamespace, { desired: bindingsOf(workspaceNamespace), observed });
}

interface Contents {
  desired: KubeObject[];
  observed: Stored<KubeObject>[];
}

async function sync(
  { kube }: WorkspaceDeps,
  { id, namespace }: WorkspaceNamespace,
  { desired, observed }: Contents,
): Promise<void> {
  await syncChildren(kube, {
    desired,
    // Ignores objects with our label that somebody copied into another namespace.
    observed: observed.filter(({ metadata }) => metadata.namespace === namespace),
    namespace,
    labels: { [labels.workspaceNamespace]: id },
    fieldManager: fieldManagers.operator,
    types: [networkPolicyType, roleBindingType],
  });
}
