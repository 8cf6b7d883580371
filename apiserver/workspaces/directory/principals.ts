import { type DefaultWorkspace, membershipName, namespaceOf } from '../../../core/accounts/ids.ts';
import { lesserRole, permissionsOf, roleIn } from '../../../core/accounts/roles.ts';
import type { Role } from '../../../core/api/access/permissions.ts';
import type { MembershipResource, WorkspaceResource } from '../../../core/api/resources/accountResources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { Directory } from './directory.ts';

/** What credentials grant to their user in any workspace. */
export interface Grant {
  /** Absent where no API key is involved. */
  keyId?: string;
  userId: string;
  /** The highest role of the credentials. */
  role: Role;
  permissions?: readonly string[] | undefined;
}

/** A user's membership in a workspace, with its objects. */
export interface Standing {
  workspace: Stored<WorkspaceResource>;
  membership: Stored<MembershipResource>;
}

/** The user's standing in a workspace; undefined if the workspace does not exist or the user is not a member. */
export function standingOf(
  { memberships, workspaces }: Directory,
  workspaceId: string,
  userId: string,
): Promise<Standing | undefined> {
  return standingBy({ membership: memberships.find, workspace: workspaces.find }, workspaceId, userId);
}

/** The same, as the cluster has it: another replica may have just changed it. */
export function standingOfLive(
  { memberships, workspaces }: Directory,
  workspaceId: string,
  userId: string,
): Promise<Standing | undefined> {
  return standingBy(
    { membership: memberships.findLive, workspace: workspaces.findLive },
    workspaceId,
    userId,
  );
}

interface Readers {
  membership(name: string): Promise<Stored<MembershipResource> | undefined>;
  workspace(name: string): Promise<Stored<WorkspaceResource> | undefined>;
}

async function standingBy(read: Readers, workspaceId: string, userId: string): Promise<Standing | undefined> {
  const name = membershipName(workspaceId, userId);
  // An id from a request may be any text; invalid object names are not looked up.
  if (!/^[a-z0-9][-a-z0-9]*\.[a-z0-9][-a-z0-9]*$/.test(name) || name.length > 127) return undefined;
  const membership = await read.membership(name);
  const workspace = membership && (await read.workspace(workspaceId));
  if (!workspace || !isOf(membership, workspace)) return undefined;
  return { workspace, membership };
}

/** A membership of an earlier workspace with the same name does not count. */
function isOf({ metadata }: Stored<MembershipResource>, workspace: Stored<WorkspaceResource>): boolean {
  const owners = metadata.ownerReferences ?? [];
  return owners.length === 0 || owners.some(({ uid }) => uid === workspace.metadata.uid);
}

/** The caller in a workspace: no more than both the credentials and the membership allow. */
export function principalOf(
  { keyId, userId, role: keyRole, permissions }: Grant,
  { workspace, membership }: Standing,
  defaultWorkspace: DefaultWorkspace,
): Principal {
  const role = lesserRole(keyRole, roleIn(workspace, membership));
  const workspaceId = workspace.metadata.name;
  return {
    userId,
    ...compact({ keyId }),
    workspaceId,
    namespace: namespaceOf(workspaceId, defaultWorkspace),
    role,
    permissions: permissionsOf(role, permissions),
  };
}
