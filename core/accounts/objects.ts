import type { Role } from '../api/access/permissions.ts';
import { annotations, apiVersion, finalizer, labels } from '../api/names.ts';
import type {
  InvitationResource,
  MembershipResource,
  UserResource,
  UserSpec,
  WorkspaceResource,
} from '../api/resources/accountResources.ts';
import { ownerReferenceTo, type Stored } from '../api/resources/kubeObject.ts';
import { compact } from '../lib/compact.ts';
import { membershipName, personalWorkspaceIdOf } from './ids.ts';

/** The account objects that both processes create: equal input gives equal objects. */

interface NewWorkspace {
  namespace: string;
  id: string;
  name: string;
  description?: string | undefined;
  /** Ids of users. */
  owners: string[];
  personalFor?: string;
  /** The user whose quota it counts for, whoever owns it later. */
  createdBy?: string;
}

/** A workspace. It has its finalizer from creation, so that a namespace is never orphaned. */
export function newWorkspace(input: NewWorkspace): WorkspaceResource {
  const { namespace, id, name, description, owners, personalFor, createdBy } = input;
  return {
    apiVersion,
    kind: 'Workspace',
    metadata: { name: id, namespace, finalizers: [finalizer] },
    spec: {
      name,
      ...compact({ description }),
      owners,
      ...compact({ personalFor, createdBy }),
    },
  };
}

/** A user account that names its personal workspace. */
export function newUser(metadata: { namespace: string; id: string }, spec: UserSpec): UserResource {
  const { namespace, id } = metadata;
  return {
    apiVersion,
    kind: 'User',
    metadata: { name: id, namespace },
    spec: { personalWorkspace: personalWorkspaceIdOf(id), ...spec },
  };
}

/** The personal workspace of a user; the account owns it. */
export function newPersonalWorkspace(user: Stored<UserResource>): WorkspaceResource {
  const { name: userId, namespace } = user.metadata;
  const workspace = newWorkspace({
    namespace,
    id: personalWorkspaceOf(user),
    name: 'personal',
    owners: [userId],
    personalFor: userId,
  });
  return { ...workspace, metadata: { ...workspace.metadata, ownerReferences: [ownerReferenceTo(user)] } };
}

export function personalWorkspaceOf({ metadata, spec }: UserResource): string {
  return spec.personalWorkspace ?? personalWorkspaceIdOf(metadata.name);
}

/** A membership that an invitation creates. */
export function newInvitedMembership(
  workspace: Stored<WorkspaceResource>,
  user: string,
  { metadata, spec }: InvitationResource,
): MembershipResource {
  const membership = newMembership(workspace, user, spec.role);
  const own = { [annotations.invitation]: metadata.name };
  return { ...membership, metadata: { ...membership.metadata, annotations: own } };
}

/** A membership; the workspace owns it. */
export function newMembership(
  workspace: Stored<WorkspaceResource>,
  user: string,
  role: Role,
): MembershipResource {
  const { name: id, namespace } = workspace.metadata;
  return {
    apiVersion,
    kind: 'Membership',
    metadata: {
      name: membershipName(id, user),
      namespace,
      labels: { [labels.workspace]: id, [labels.user]: user },
      ownerReferences: [ownerReferenceTo(workspace)],
    },
    spec: { workspace: id, user, role },
  };
}
