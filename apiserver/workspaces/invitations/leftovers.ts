import type { InvitationResource, MembershipResource } from '../../../core/api/resources/accountResources.ts';
import { invitationType, membershipType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { listLive } from '../list.ts';
import { invitationState } from '../mapping.ts';
import { creatorOf, leave } from './join.ts';

/**
 * Takes back the memberships of attempts that ended between joining and settling, while somebody else settled or revoked
 * their invitation. An invitation is kept for longer than it takes until this is done once.
 */
export async function takeBackLeftovers(deps: WorkspaceDeps): Promise<void> {
  const memberships = await listLive(deps, membershipType, {});
  const byCreator = Map.groupBy(memberships, creatorOf);
  byCreator.delete(undefined);
  if (byCreator.size === 0) return;
  // After the memberships: one that was settled in between is in the invitation.
  for (const invitation of await listLive(deps, invitationType, {})) {
    if (!isFinal(invitation, deps.clock.nowMs())) continue;
    for (const membership of byCreator.get(invitation.metadata.name) ?? [])
      await takeBack(deps, membership, invitation);
  }
}

/** Whether nobody can settle it any more. Whoever was interrupted while accepting one stays, and can finish. */
function isFinal(invitation: InvitationResource, nowMs: number): boolean {
  return invitation.status?.state !== 'Accepting' && invitationState(invitation, nowMs) !== 'Pending';
}

async function takeBack(
  deps: WorkspaceDeps,
  membership: Stored<MembershipResource>,
  invitation: Stored<InvitationResource>,
): Promise<void> {
  const workspace = await deps.directory.workspaces.findLive(membership.spec.workspace);
  const { status = {} } = invitation;
  if (workspace) await leave(deps, { workspace, membership }, { invitation, status });
}
