import { newMembership, newPersonalWorkspace, newUser } from '../../core/accounts/objects.ts';
import type {
  InvitationResource,
  MembershipResource,
  UserResource,
} from '../../core/api/resources/accountResources.ts';
import { membershipType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createIfAbsent } from '../store/createOnce.ts';
import { forCaller } from '../store/kubeErrors.ts';
import type { WorkspaceDeps } from './deps.ts';

/** Throws Unauthorized if an account with this id exists that was not created by this invitation. */
export async function checkNewAccount(
  { kube, namespace }: WorkspaceDeps,
  userId: string,
  invitation: InvitationResource,
): Promise<void> {
  const user = await forCaller(kube.get(userType, { namespace, name: userId }));
  if (user) checkOrigin(user, invitation);
}

/**
 * Creates an account for the user who accepts an invitation, with a personal workspace, and returns the membership of
 * that workspace. Idempotent.
 */
export async function createAccount(
  deps: WorkspaceDeps,
  userId: string,
  invitation: InvitationResource,
): Promise<Stored<MembershipResource>> {
  const { kube, namespace, directory } = deps;
  const { name: invitationId } = invitation.metadata;
  const wanted = newUser(
    { namespace, id: userId },
    { email: invitation.spec.email, invitation: invitationId },
  );
  const user = await createIfAbsent(kube, userType, wanted);
  checkOrigin(user, invitation);
  directory.users.observe(user);
  const workspace = await createIfAbsent(kube, workspaceType, newPersonalWorkspace(user));
  directory.workspaces.observe(workspace);
  const membership = await createIfAbsent(kube, membershipType, newMembership(workspace, userId, 'owner'));
  directory.memberships.observe(membership);
  return membership;
}

function checkOrigin({ spec }: UserResource, invitation: InvitationResource): void {
  if (spec.invitation === invitation.metadata.name) return;
  throw new AppError(
    'Unauthorized',
    'an account with this e-mail address already exists: accept the invitation with its API key',
  );
}
