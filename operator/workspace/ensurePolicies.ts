import { fieldManagers, labels } from '../../core/api/names.ts';
import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import { syncChildren } from '../../core/kube/apply/syncChildren.ts';
import { type Namespace, namespaceType } from '../../core/kube/types.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { networkPolicyType, roleBindingType } from './kinds.ts';
import type { WorkspaceDeps } from './reconcile.ts';
import {
  bindingsOf,
  isNamespaceOf,
  namespaceName,
  policiesOf,
  type WorkspaceNamespace,
} from './workspaceNamespace.ts';

/** Makes the namespace, or finds it. `taken`: there is one of that name which the operator did not make. */
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

/** Fences the namespace off first, and only then gives the operator the right to run anything in it. */
export async function ensurePolicies(
  deps: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
): Promise<void> {
  const observed = deps.caches.networkPolicies.byIndex('workspaceNamespace', workspaceNamespace.id);
  await sync(deps, workspaceNamespace, { desired: policiesOf(workspaceNamespace), observed });
  await ensureRoleBindings(deps, workspaceNamespace);
}

/** The operator's own rights, without which it cannot remove the namespace either. */
export async function ensureRoleBindings(
  deps: WorkspaceDeps,
  workspaceNamespace: WorkspaceNamespace,
): Promise<void> {
  const observed = deps.caches.roleBindings.byIndex('workspaceNamespace', workspaceNamespace.id);
  await sync(deps, workspaceNamespace, { desired: bindingsOf(workspaceNamespace), observed });
}

interface Contents {
  desired: KubeObject[];
  observed: KubeObject[];
}

async function sync(
  { kube }: WorkspaceDeps,
  { id, namespace }: WorkspaceNamespace,
  { desired, observed }: Contents,
): Promise<void> {
  await syncChildren(kube, {
    desired,
    // What somebody copied into a namespace of theirs, label and all, is not ours.
    observed: observed.filter(({ metadata }) => metadata.namespace === namespace),
    namespace,
    labels: { [labels.workspaceNamespace]: id },
    fieldManager: fieldManagers.operator,
    types: [networkPolicyType, roleBindingType],
  });
}
