import { lesserRole, permissionsOf, roleIn } from '../../core/accounts/roles.ts';
import type {
  ApiKeyResource,
  InvitationResource,
  MembershipResource,
  UserResource,
  WorkspaceResource,
} from '../../core/api/resources/accountResources.ts';
import type { ApiKey, Invitation } from '../../core/api/rest/access.ts';
import type { Membership, User, Workspace } from '../../core/api/rest/workspace.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import type { Standing } from './directory/principals.ts';

const version = 'v1alpha1';

/** The Workspace of REST. */
export function toWorkspace({ metadata, spec }: WorkspaceResource): Workspace {
  const { name: id, creationTimestamp } = metadata;
  const [owner] = spec.owners;
  return {
    kind: 'Workspace',
    version,
    id,
    name: spec.name,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    metadata: {
      name: spec.name,
      rev: metadata.generation ?? 0,
      ...(creationTimestamp === undefined ? {} : { createdAt: creationTimestamp }),
      ...(owner === undefined ? {} : { ownerID: owner }),
      workspace: id,
    },
  };
}

/** The User of REST. */
export function toUser({ metadata, spec, status }: UserResource): User {
  return {
    kind: 'User',
    version,
    id: metadata.name,
    ...(spec.email === undefined ? {} : { email: spec.email }),
    ...(spec.name === undefined ? {} : { name: spec.name }),
    ...(status?.address === undefined ? {} : { address: status.address }),
    ...(spec.personalWorkspace === undefined ? {} : { personalWorkspaceID: spec.personalWorkspace }),
    ...createdAt(metadata.creationTimestamp),
  };
}

/** The Membership of REST; `user` is undefined if the account is not known. */
export function toMembership(
  { workspace, membership }: Standing,
  user: UserResource | undefined,
): Membership {
  return {
    kind: 'Membership',
    version,
    userID: membership.spec.user,
    workspaceID: membership.spec.workspace,
    ...(user?.spec.email === undefined ? {} : { email: user.spec.email }),
    role: roleIn(workspace, membership),
    ...createdAt(membership.metadata.creationTimestamp),
  };
}

/** The Invitation of REST with its state at `nowMs`. */
export function toInvitation({ metadata, spec, status }: InvitationResource, nowMs: number): Invitation {
  return {
    kind: 'Invitation',
    version,
    id: metadata.name,
    workspaceID: spec.workspace,
    email: spec.email,
    role: spec.role,
    state: invitationState({ spec, status }, nowMs),
    invitedBy: spec.invitedBy,
    ...(status?.acceptedBy === undefined ? {} : { acceptedBy: status.acceptedBy }),
    ...createdAt(metadata.creationTimestamp),
    expiresAt: spec.expiresAt,
  };
}

/** Accepting counts as accepted, because the token is already used. */
export function invitationState(
  { spec, status }: { spec: InvitationResource['spec']; status?: InvitationResource['status'] | undefined },
  nowMs: number,
): Invitation['state'] {
  const state = status?.state ?? 'Pending';
  if (state === 'Accepting') return 'Accepted';
  if (state !== 'Pending') return state;
  return (parseRfc3339(spec.expiresAt) ?? 0) <= nowMs ? 'Expired' : 'Pending';
}

/** The ApiKey of REST, with its effective role and permissions under the user's membership. */
export function toApiKey(
  { metadata, spec, status }: ApiKeyResource,
  standing: { workspace: WorkspaceResource; membership: MembershipResource },
): ApiKey {
  const role = lesserRole(spec.role, roleIn(standing.workspace, standing.membership));
  return {
    kind: 'ApiKey',
    version,
    id: metadata.name,
    workspaceID: spec.workspace,
    userID: spec.user,
    name: spec.name,
    role,
    permissions: [...permissionsOf(role, spec.permissions)],
    ...createdAt(metadata.creationTimestamp),
    ...(spec.expiresAt === undefined ? {} : { expiresAt: spec.expiresAt }),
    ...(status?.lastUsedAt === undefined ? {} : { lastUsedAt: status.lastUsedAt }),
  };
}

function createdAt(creationTimestamp: string | undefined): { createdAt?: string } {
  return creationTimestamp === undefined ? {} : { createdAt: creationTimestamp };
}
