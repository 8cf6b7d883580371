import { invitedUserIdOf, membershipName } from '../../../core/accounts/ids.ts';
import { newMembership } from '../../../core/accounts/objects.ts';
import { isAtLeast, roleIn } from '../../../core/accounts/roles.ts';
import type {
  InvitationResource,
  MembershipResource,
  WorkspaceResource,
} from '../../../core/api/resources/accountResources.ts';
import { membershipType } from '../../../core/api/resources/resources.ts';
import type { AcceptedInvitation } from '../../../core/api/rest/access.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { createIfAbsent } from '../../store/createOnce.ts';
import { type AccountQuota, accountQuotas, createAccount } from '../account.ts';
import { insertApiKey } from '../apiKeys/apiKeyObject.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { type Standing, standingOf } from '../directory/principals.ts';
import { toMembership } from '../mapping.ts';
import { addOwner } from '../owners.ts';
import { checkQuota } from '../quota.ts';
import { claim, findByToken, release, settle, unknownToken } from './claim.ts';

/**
 * Accepts an invitation. A caller with credentials joins with the existing account. Otherwise an account is created for
 * this invitation alone: its token proves the invitation, not the e-mail address, so the account neither takes an address
 * from anybody nor gives access to what others have. Each step is idempotent, so that a crash in between needs no repair.
 * The first key works in the joined workspace and, if a request names it, in every other workspace of its user, limited
 * to the user's role there.
 */
export function acceptInvitation(deps: WorkspaceDeps): Handler<'acceptInvitation'> {
  return async ({ principal, body, random, idempotencyMark: mark }) => {
    const invitation = await findByToken(deps, body.token);
    const { workspace: workspaceId } = invitation.spec;
    const workspace = await deps.directory.workspaces.find(workspaceId);
    if (!workspace) throw unknownToken();
    const userId = principal?.userId ?? invitedUserIdOf(invitation.metadata.name);
    const quotas = principal ? [] : await accountQuotas(deps, invitation);
    const check = async () => {
      await checkInviter(deps, invitation);
      await refuseMember(deps, workspaceId, userId);
      for (const quota of quotas) await checkQuota(deps, quota, userId);
    };
    const { isSettled } = await claim(deps, invitation, { userId, mark, check });
    const founder = principal ? undefined : await createOrRelease(deps, invitation, isSettled ? [] : quotas);
    const standing = isSettled
      ? await rejoin(deps, workspace, userId)
      : await join(deps, workspace, { userId, invitation });
    const first = { name: 'first key', role: 'owner', random, mark } as const;
    const apiKey = founder && (await insertApiKey(deps, standing, { ...first, founder }));
    await settle(deps, invitation);
    const user = await deps.directory.users.find(userId);
    const answer: AcceptedInvitation = { ...toMembership(standing, user), ...compact({ apiKey }) };
    return {
      body: answer,
      objects: [`invitation ${invitation.metadata.name} to workspace ${workspaceId} by ${userId}`],
    };
  };
}

/** Whoever was removed or demoted meanwhile no longer grants the role. */
async function checkInviter(deps: WorkspaceDeps, { spec }: InvitationResource): Promise<void> {
  const inviter = await standingOf(deps.directory, spec.workspace, spec.invitedBy);
  if (inviter && isAtLeast(roleIn(inviter.workspace, inviter.membership), spec.role)) return;
  throw new AppError(
    'Conflict',
    'the user who invited you may no longer grant this role: ask for a new invitation',
  );
}

async function refuseMember(
  { directory }: WorkspaceDeps,
  workspaceId: string,
  userId: string,
): Promise<void> {
  const membership = await directory.memberships.find(membershipName(workspaceId, userId));
  if (membership) throw new AppError('Conflict', 'you are already a member of this workspace');
}

async function createOrRelease(
  deps: WorkspaceDeps,
  invitation: Stored<InvitationResource>,
  quotas: readonly AccountQuota[],
): Promise<Stored<MembershipResource>> {
  try {
    return await createAccount(deps, invitation, quotas);
  } catch (error) {
    if (isAppError(error, 'Forbidden')) await release(deps, invitation);
    throw error;
  }
}

interface Newcomer {
  userId: string;
  invitation: Stored<InvitationResource>;
}

async function join(
  deps: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  { userId, invitation }: Newcomer,
): Promise<Standing> {
  const { role } = invitation.spec;
  const wanted = newMembership(workspace, userId, role);
  const membership = await createIfAbsent(deps.kube, membershipType, wanted);
  deps.directory.memberships.observe(membership);
  if (role !== 'owner') return { workspace, membership };
  return { workspace: await addOwner(deps, workspace.metadata.name, userId), membership };
}

/** Handles a repeated request: a user who was removed meanwhile must not rejoin with it. */
async function rejoin(
  { directory }: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  userId: string,
): Promise<Standing> {
  const membership = await directory.memberships.find(membershipName(workspace.metadata.name, userId));
  if (!membership) throw new AppError('Conflict', 'the invitation was already accepted: ask for a new one');
  return { workspace, membership };
}
