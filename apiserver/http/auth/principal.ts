import type { Permission, Role } from '../../../core/api/access/permissions.ts';

/** Who makes a request, in which workspace, and what that key may do there. */
export interface Principal {
  userId: string;
  keyId: string;
  workspaceId: string;
  /** The Kubernetes namespace of the workspace. */
  namespace: string;
  role: Role;
  permissions: ReadonlySet<Permission>;
}
