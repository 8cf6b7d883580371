import type { Permission, Role } from '../../../core/api/access/permissions.ts';

/** The caller of a request, its workspace, and the permissions of the key there. */
export interface Principal {
  userId: string;
  keyId: string;
  /** The browser session that the key is used by, if any. */
  sessionId?: string;
  workspaceId: string;
  /** The Kubernetes namespace of the workspace. */
  namespace: string;
  role: Role;
  permissions: ReadonlySet<Permission>;
}
