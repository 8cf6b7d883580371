import { membershipName } from '../../../core/accounts/ids.ts';
import { newInvitedMembership } from '../../../core/accounts/objects.ts';
import { annotations } from '../../../core/api/names.ts';
import type {
  InvitationResource,
  InvitationStatus,
  MembershipResource,
  WorkspaceResource,
} from '../../../core/api/resources/accountResources.ts';
import { membershipType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createIfAbsent } from '../../store/createOnce.ts';
import type { WorkspaceDeps } from '../deps.ts';
import type { Standing } from '../directory/principals.ts';
import { dropMembership, removeMember } from '../memberships.ts';
import { addOwner } from '../owners.ts';
import { release } from './claim.ts';

/** The user's standing in a workspace, as the cluster has it; undefined if the user is not a member. */
export async function memberAs(
  { directory }: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  userId: string,
): Promise<Standing | undefined> {
  const membership = await directory.memberships.findLive(membershipName(workspace.metadata.name, userId));
  return membership && { workspace, membership };
}

export async function refuseMember(
  deps: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  userId: string,
): Promise<void> {
  if (await memberAs(deps, workspace, userId)) throw alreadyMember();
}

interface Newcomer {
  userId: string;
  invitation: Stored<InvitationResource>;
}

/** Makes a user a member by an invitation. Throws Conflict, and releases the invitation, if another one was faster. */
export async function join(
  deps: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  { userId, invitation }: Newcomer,
): Promise<Standing> {
  const wanted = newInvitedMembership(workspace, userId, invitation);
  const membership = await createIfAbsent(deps.kube, membershipType, wanted);
  const creator = creatorOf(membership);
  if (creator !== undefined && creator !== invitation.metadata.name) {
    await release(deps, invitation, userId);
    throw alreadyMember();
  }
  if (invitation.spec.role !== 'owner' || membership.spec.role !== 'owner') return { workspace, membership };
  const undo = async () => {
    await dropMembership(deps, membership);
    await release(deps, invitation, userId);
  };
  return { workspace: await addOwner(deps, workspace.metadata.name, { userId, undo }), membership };
}

/**
 * Takes back the membership that an invitation created which somebody else has settled or revoked meanwhile (`status`).
 * What the attempt that has settled it made is the same membership, and stays; so does what another invitation created.
 */
export async function leave(
  deps: WorkspaceDeps,
  { workspace, membership: { spec } }: Standing,
  { invitation, status }: { invitation: InvitationResource; status: InvitationStatus },
): Promise<void> {
  const standing = await memberAs(deps, workspace, spec.user);
  if (!standing || creatorOf(standing.membership) !== invitation.metadata.name) return;
  const { state, acceptedBy, membership = standing.membership.metadata.uid } = status;
  const isAccepted = state === 'Accepted' && acceptedBy === spec.user;
  if (isAccepted && membership === standing.membership.metadata.uid) return;
  await removeMember(deps, standing);
}

/** The id of the invitation that created a membership; undefined if none did, or version 0.3.0 did it. */
export function creatorOf({ metadata }: MembershipResource): string | undefined {
  return metadata.annotations?.[annotations.invitation];
}

function alreadyMember(): AppError {
  return new AppError('Conflict', 'you are already a member of this workspace');
}
