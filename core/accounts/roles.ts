import { type Permission, type Role, rolePermissions, roles } from '../api/access/permissions.ts';
import type { MembershipResource, WorkspaceResource } from '../api/resources/accountResources.ts';

/** Whether `role` may do everything that `other` may. */
export function isAtLeast(role: Role, other: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(other);
}

/** The narrower of two roles. */
export function lesserRole(one: Role, other: Role): Role {
  return isAtLeast(one, other) ? other : one;
}

/**
 * The role that a membership grants. The workspace itself lists its owners, in one object, so that two owners cannot
 * both leave at the same time; a membership that claims `owner` without being listed there grants `admin`.
 */
export function roleIn(workspace: WorkspaceResource, membership: MembershipResource): Role {
  const { role, user } = membership.spec;
  return role === 'owner' && !workspace.spec.owners.includes(user) ? 'admin' : role;
}

/** The permissions of a role that `held` lacks: nobody can grant a permission that they lack. */
export function permissionsBeyond(
  held: ReadonlySet<Permission>,
  role: Role,
  only?: readonly string[],
): Permission[] {
  return [...permissionsOf(role, only)].filter((permission) => !held.has(permission));
}

/** The permissions of a role, narrowed to `only` when it is given. */
export function permissionsOf(role: Role, only?: readonly string[]): Set<Permission> {
  const granted: readonly Permission[] = rolePermissions[role];
  return new Set(only ? granted.filter((permission) => only.includes(permission)) : granted);
}
