import { finalizer } from '../../core/api/names.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { workspaceType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import type { WorkspaceDeps } from './deps.ts';
import { ensureRoleBindings } from './ensurePolicies.ts';
import { isNamespaceOf, type WorkspaceNamespace } from './workspaceNamespace.ts';

const pollMs = 2000;

/**
 * Removes the namespace of a workspace that is being deleted, if the operator made it for that, and then lets the
 * workspace go; what names it as its owner (memberships, invitations, and their keys) the cluster collects.
 */
export async function tearDown(
  deps: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  workspaceNamespace: WorkspaceNamespace,
): Promise<ReconcileResult> {
  const { kube, installation } = deps;
  if (!workspace.metadata.finalizers?.includes(finalizer)) return { state: 'Ending' };
  // Live: a cache may not know yet, and nothing brings back what is deleted here.
  const namespace = await kube.get(namespaceType, { name: workspaceNamespace.namespace });
  const isOurs =
    workspaceNamespace.id !== installation.defaultWorkspace.id &&
    namespace &&
    isNamespaceOf(workspaceNamespace.id, namespace);
  if (!isOurs) {
    await removeFinalizer(deps, workspace);
    return { state: 'Gone' };
  }
  if (!namespace.metadata.deletionTimestamp) {
    await ensureRoleBindings(deps, workspaceNamespace);
    await kube.delete(namespaceType, namespace.metadata, { uid: namespace.metadata.uid });
    deps.log.info('namespace of a deleted workspace', {
      workspace: workspaceNamespace.id,
      namespace: workspaceNamespace.namespace,
    });
  }
  return { state: 'Ending', requeueAfterMs: pollMs };
}

async function removeFinalizer(
  { kube }: WorkspaceDeps,
  { metadata }: Stored<WorkspaceResource>,
): Promise<void> {
  const { name, namespace, resourceVersion, finalizers = [] } = metadata;
  const left = finalizers.filter((entry) => entry !== finalizer);
  await kube.patch(workspaceType, { namespace, name }, { metadata: { resourceVersion, finalizers: left } });
}
