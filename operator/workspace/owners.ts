import { membershipName } from '../../core/accounts/ids.ts';
import { newMembership } from '../../core/accounts/objects.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { membershipType, workspaceType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { WorkspaceDeps } from './deps.ts';

/**
 * Ensures that each owner of a workspace has a membership, because creating the two may have been interrupted. An owner
 * who leaves is removed from the workspace first, so a live read of the workspace distinguishes the two cases.
 */
export async function ensureOwners(deps: WorkspaceDeps, workspace: Stored<WorkspaceResource>): Promise<void> {
  const { kube, caches } = deps;
  const { name: id, namespace } = workspace.metadata;
  for (const user of workspace.spec.owners) {
    const ref = { namespace, name: membershipName(id, user) };
    const hasAccount = caches.users.get({ namespace, name: user }) !== undefined;
    if (!hasAccount || caches.memberships.get(ref) || (await kube.get(membershipType, ref))) continue;
    const live = await kube.get(workspaceType, workspace.metadata);
    if (!live || live.metadata.deletionTimestamp || !live.spec.owners.includes(user)) continue;
    await kube.create(membershipType, newMembership(live, user, 'owner')).catch((error: unknown) => {
      if (!isAppError(error, 'Conflict')) throw error;
    });
  }
}
