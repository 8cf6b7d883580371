import { permissions, rolePermissions } from '../../core/api/access/permissions.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import type { WorkspaceDeps } from './deps.ts';
import { toUser, toWorkspace } from './mapping.ts';

/** The caller, and the permissions of its credentials in the workspace of the request. */
export function getMe({ directory }: WorkspaceDeps): Handler<'getMe'> {
  return async ({ principal }) => {
    const { userId, workspaceId, keyId, sessionId, role } = principal;
    const [user, workspace] = await Promise.all([
      directory.users.find(userId),
      directory.workspaces.find(workspaceId),
    ]);
    return {
      body: {
        kind: 'Me',
        version: 'v1alpha1',
        user: user ? toUser(user) : { kind: 'User', version: 'v1alpha1', id: userId },
        ...compact({ workspace: workspace && toWorkspace(workspace) }),
        role,
        permissions: [...principal.permissions],
        ...compact({ apiKeyID: keyId, sessionID: sessionId }),
      },
    };
  };
}

/** All permissions, and those of each role. */
export function listPermissions(): Handler<'listPermissions'> {
  const roles = Object.fromEntries(Object.entries(rolePermissions).map(([role, list]) => [role, [...list]]));
  const body = { kind: 'PermissionSet', version: 'v1alpha1', permissions, roles } as const;
  return async () => ({ body });
}
