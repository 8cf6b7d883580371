import { permissionsBeyond, permissionsOf, roleIn } from '../../../core/accounts/roles.ts';
import { adminUserId } from '../../../core/api/names.ts';
import { apiKeyType } from '../../../core/api/resources/resources.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { WorkspaceApiDeps } from '../deps.ts';
import { standingOfLive } from '../directory/principals.ts';
import { listLive } from '../list.ts';
import { hasFounder, isExpired } from './keySource.ts';

/**
 * Somebody must be able to do all that the first key of the installation can: an owner of the default workspace who signs
 * in with a browser, or another user with a whole, valid key. Throws Conflict otherwise.
 */
export async function requireOtherWay(deps: WorkspaceApiDeps): Promise<void> {
  const { directory, defaultWorkspace, clock, signIn } = deps;
  // As the cluster has it: another replica may have removed an owner.
  const workspace = await directory.workspaces.findLive(defaultWorkspace.id);
  for (const user of workspace?.spec.owners ?? []) {
    const standing = await standingOfLive(directory, defaultWorkspace.id, user);
    if (!standing || roleIn(standing.workspace, standing.membership) !== 'owner') continue;
    if (await signIn?.hasOwnWay(user)) return;
    if (user === adminUserId) continue;
    for (const key of await listLive(deps, apiKeyType, { 'spec.user': user })) {
      const { role, permissions } = key.spec;
      const isWhole = permissionsBeyond(permissionsOf(role, permissions), 'owner').length === 0;
      if (isWhole && !isExpired(key, clock.nowMs()) && (await hasFounder(directory, key))) return;
    }
  }
  throw new AppError(
    'Conflict',
    'no owner of the default workspace could sign in without it: enrol a passkey or set a password for yourself, or invite an owner first',
  );
}
