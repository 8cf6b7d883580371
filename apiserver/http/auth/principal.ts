import type { Permission, Role } from '../../../core/api/access/permissions.ts';

/** The caller of a request, its workspace, and the permissions of its credentials there. */
export interface Principal {
  userId: string;
  /** The API key that the caller sent or signed in with; absent in a session of another kind. */
  keyId?: string;
  /** The browser session of the request, if any. */
  sessionId?: string;
  workspaceId: string;
  /** The Kubernetes namespace of the workspace. */
  namespace: string;
  role: Role;
  permissions: ReadonlySet<Permission>;
}
