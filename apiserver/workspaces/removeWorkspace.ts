import { namespaceOf } from '../../core/accounts/ids.ts';
import { networkType, workspaceType } from '../../core/api/resources/resources.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import type { WorkspaceDeps } from './deps.ts';
import { describeWorkspace } from './workspaces.ts';

/**
 * Deletes a workspace without networks. Nobody is a member of it from then on. The operator removes its namespace, and
 * the garbage collector of the cluster its memberships, invitations and keys.
 */
export function deleteWorkspace(deps: WorkspaceDeps): Handler<'deleteWorkspace'> {
  const { kube, namespace, defaultWorkspace } = deps;
  return async ({ params: { id } }) => {
    const ref = { namespace, name: id };
    const workspace = await forCaller(kube.get(workspaceType, ref));
    if (!workspace || workspace.metadata.deletionTimestamp) throw notFound('Workspace');
    if (id === defaultWorkspace.id) {
      throw new AppError('Conflict', 'the default workspace cannot be deleted');
    }
    if (workspace.spec.personalFor !== undefined) {
      throw new AppError('Conflict', 'a personal workspace cannot be deleted while its account exists');
    }
    await refuseInUse(deps, id);
    const { uid } = workspace.metadata;
    const wasThere = await forCaller(kube.delete(workspaceType, ref, { uid }));
    if (!wasThere) throw notFound('Workspace');
    return { body: undefined, objects: [describeWorkspace(id)] };
  };
}

async function refuseInUse({ kube, defaultWorkspace }: WorkspaceDeps, id: string): Promise<void> {
  const namespace = namespaceOf(id, defaultWorkspace);
  const { items } = await forCaller(kube.list(networkType, { namespace, limit: 5 }));
  if (items.length === 0) return;
  const names = items.map(({ metadata }) => `"${metadata.name}"`).join(', ');
  throw new AppError('Conflict', `the workspace is in use: delete its networks first (${names})`);
}
