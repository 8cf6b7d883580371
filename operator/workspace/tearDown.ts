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
 * Deletes the namespace of a workspace that is being deleted, if the operator created it, and then removes the
 * finalizer. Kubernetes garbage-collects the objects that the workspace owns: memberships, invitations and their keys.
 */
export async function tearDown(
  deps: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  workspaceNamespace: WorkspaceNamespace,
): Promise<ReconcileResult> {
  const { kube, installation } = deps;
  if (!workspace.metadata.finalizers?.includes(finalizer)) return { state: 'Ending' };
  // A live read: a cache may be stale, and this deletion cannot be undone.
  const namespace = await kube.get(namespaceType, { name: workspaceNamespace.namespace });
  const isOurs =
    workspaceNamespace.id !== installation.defaultWorkspace.id &&
    namespace &&
    isNamespaceOf(workspaceNamespace, namespace);
  if (!isOurs) {
    await removeFinalizer(deps, workspace);
    return { state: 'Gone' };
  }
  if (!namespace.metadata.deletionTimestamp) {
    await ensureRoleBindings(deps, workspaceNamespace, namespace);
    await kube.delete(namespaceType, namespace.metadata, { uid: namespace.metadata.uid });
    deps.log.info('deleting the namespace of a deleted workspace', {
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
