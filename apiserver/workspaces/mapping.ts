import { lesserRole, permissionsOf, roleIn } from '../../core/accounts/roles.ts';
import type {
  ApiKeyResource,
  InvitationResource,
  MembershipResource,
  UserResource,
  UserSpec,
  WorkspaceResource,
} from '../../core/api/resources/accountResources.ts';
import type { ApiKey, Invitation } from '../../core/api/rest/access.ts';
import type { Membership, User, Workspace } from '../../core/api/rest/workspace.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Standing } from './directory/principals.ts';

const version = 'v1alpha1';

/** The Workspace of REST. */
export function toWorkspace({ metadata, spec }: Stored<WorkspaceResource>): Workspace {
  const { name: id, creationTimestamp } = metadata;
  const [owner] = spec.owners;
  return {
    kind: 'Workspace',
    version,
    id,
    name: spec.name,
    ...compact({ description: spec.description }),
    metadata: {
      name: spec.name,
      rev: metadata.generation ?? 0,
      createdAt: creationTimestamp,
      ...compact({ ownerID: owner }),
      workspace: id,
    },
  };
}

/** The User of REST. */
export function toUser({ metadata, spec, status }: Stored<UserResource>): User {
  return {
    kind: 'User',
    version,
    id: metadata.name,
    ...compact({
      ...emailOf(spec),
      name: spec.name,
      address: status?.address,
      personalWorkspaceID: spec.personalWorkspace,
    }),
    createdAt: metadata.creationTimestamp,
  };
}

/** An address comes from an invitation: whoever has its token may not own the address. */
function emailOf({ email, emailProof }: Pick<UserSpec, 'email' | 'emailProof'>) {
  return { email, emailVerified: email === undefined ? undefined : emailProof !== undefined };
}

/** The Membership of REST; `user` is undefined if the account is not known. */
export function toMembership(
  { workspace, membership }: Standing,
  user: Stored<UserResource> | undefined,
): Membership {
  return {
    kind: 'Membership',
    version,
    userID: membership.spec.user,
    workspaceID: membership.spec.workspace,
    ...compact(emailOf(user?.spec ?? {})),
    role: roleIn(workspace, membership),
    createdAt: membership.metadata.creationTimestamp,
  };
}

/** The Invitation of REST with its state at `nowMs`. */
export function toInvitation(
  { metadata, spec, status }: Stored<InvitationResource>,
  nowMs: number,
): Invitation {
  return {
    kind: 'Invitation',
    version,
    id: metadata.name,
    workspaceID: spec.workspace,
    email: spec.email,
    role: spec.role,
    state: invitationState({ spec, status }, nowMs),
    invitedBy: spec.invitedBy,
    ...compact({ acceptedBy: status?.acceptedBy, delivery: deliveryOf(spec, status) }),
    createdAt: metadata.creationTimestamp,
    expiresAt: spec.expiresAt,
  };
}

function deliveryOf({ isMailed }: InvitationResource['spec'], status: InvitationResource['status']) {
  const { resends: _, ...delivery } = status?.delivery ?? { state: 'Pending' as const, attempts: 0 };
  return isMailed ? delivery : undefined;
}

/** Accepting counts as accepted, because the token is already used. */
export function invitationState(
  { spec, status }: { spec: InvitationResource['spec']; status?: InvitationResource['status'] | undefined },
  nowMs: number,
): Invitation['state'] {
  const state = status?.state ?? 'Pending';
  if (state === 'Accepting') return 'Accepted';
  if (state !== 'Pending') return state;
  return hasExpired(spec, nowMs) ? 'Expired' : 'Pending';
}

/** Whether the user who has used its token can still finish. */
export function isBeingAccepted(
  { spec, status }: Pick<InvitationResource, 'spec' | 'status'>,
  nowMs: number,
): boolean {
  return status?.state === 'Accepting' && !hasExpired(spec, nowMs);
}

function hasExpired({ expiresAt }: InvitationResource['spec'], nowMs: number): boolean {
  return (parseRfc3339(expiresAt) ?? 0) <= nowMs;
}

/** The ApiKey of REST, with its effective role and permissions under the user's membership. */
export function toApiKey(
  { metadata, spec, status }: Stored<ApiKeyResource>,
  standing: { workspace: Stored<WorkspaceResource>; membership: Stored<MembershipResource> },
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
    createdAt: metadata.creationTimestamp,
    ...compact({ expiresAt: spec.expiresAt, lastUsedAt: status?.lastUsedAt, device: spec.device }),
  };
}
