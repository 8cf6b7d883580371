import { invitedUserIdOf, membershipName } from '../../../core/accounts/ids.ts';
import { newMembership } from '../../../core/accounts/objects.ts';
import { isAtLeast, roleIn } from '../../../core/accounts/roles.ts';
import type {
  EmailProof,
  InvitationResource,
  MembershipResource,
  WorkspaceResource,
} from '../../../core/api/resources/accountResources.ts';
import { membershipType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { createIfAbsent } from '../../store/createOnce.ts';
import { accountQuotas, createInvitedAccount } from '../account.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { type Standing, standingOf } from '../directory/principals.ts';
import { proveEmail } from '../emailProof.ts';
import { dropMembership, removeMember } from '../memberships.ts';
import { addOwner, checkOwners } from '../owners.ts';
import { type AccountQuota, checkQuota } from '../quota.ts';
import { claim, release, settle, unknownToken } from './claim.ts';

export interface Acceptance<T> {
  invitation: Stored<InvitationResource>;
  /** Who joins. Undefined: an account is created for this invitation. */
  userId: string | undefined;
  /** How whoever accepts has proven to own the address of the invitation. */
  emailProof: EmailProof | undefined;
  /** The mark of a request with an Idempotency-Key. */
  mark: string | undefined;
  /** Makes what the user signs in with, before the invitation is used up. */
  issueCredential(joined: Joined): Promise<T>;
}

export interface Joined extends Standing {
  userId: string;
  /** The membership of the personal workspace, if the account is new. */
  founder: Stored<MembershipResource> | undefined;
}

/**
 * Accepts an invitation. A known user joins with the existing account. Otherwise an account is created for this
 * invitation alone: its token proves the invitation, not the e-mail address, so the account neither takes an address
 * from anybody nor gives access to what others have. Each step is idempotent, so that a crash in between needs no repair.
 */
export async function accept<T>(deps: WorkspaceDeps, acceptance: Acceptance<T>): Promise<[Joined, T]> {
  const { invitation, userId: known, emailProof, mark } = acceptance;
  const { workspace: workspaceId, email } = invitation.spec;
  const workspace = await deps.directory.workspaces.find(workspaceId);
  if (!workspace) throw unknownToken();
  const userId = known ?? invitedUserIdOf(invitation.metadata.name);
  const quotas = known ? [] : await accountQuotas(deps, invitation);
  const check = async () => {
    await checkInviter(deps, invitation);
    await refuseMember(deps, workspaceId, userId);
    // Before an account is created.
    if (invitation.spec.role === 'owner') checkOwners(workspace.spec.owners);
    for (const quota of quotas) await checkQuota(deps, quota, userId);
  };
  const { isSettled } = await claim(deps, invitation, { userId, mark, check });
  const limits = isSettled ? [] : quotas;
  const founder = known ? undefined : await createOrRelease(deps, acceptance, limits);
  const standing = isSettled
    ? await rejoin(deps, workspace, userId)
    : await join(deps, workspace, { userId, invitation });
  if (emailProof) await proveEmail(deps, userId, { email, emailProof });
  const joined = { ...standing, userId, founder };
  const result = await acceptance.issueCredential(joined);
  await settleOrLeave(deps, invitation, standing);
  return [joined, result];
}

/** Whoever joined with an invitation that was revoked meanwhile leaves again. */
async function settleOrLeave(
  deps: WorkspaceDeps,
  invitation: InvitationResource,
  standing: Standing,
): Promise<void> {
  try {
    await settle(deps, invitation);
  } catch (error) {
    if (isAppError(error, 'Conflict')) await removeMember(deps, standing);
    throw error;
  }
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
  const membership = await directory.memberships.findLive(membershipName(workspaceId, userId));
  if (membership) throw new AppError('Conflict', 'you are already a member of this workspace');
}

async function createOrRelease(
  deps: WorkspaceDeps,
  { invitation, emailProof }: Pick<Acceptance<never>, 'invitation' | 'emailProof'>,
  quotas: readonly AccountQuota[],
): Promise<Stored<MembershipResource>> {
  try {
    return await createInvitedAccount(deps, { invitation, emailProof, quotas });
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
  // The user may have joined with another invitation since an attempt that was interrupted.
  if (role !== 'owner' || membership.spec.role !== 'owner') return { workspace, membership };
  const undo = async () => {
    await dropMembership(deps, membership);
    await release(deps, invitation);
  };
  return { workspace: await addOwner(deps, workspace.metadata.name, { userId, undo }), membership };
}

/** Handles a repeated request: a user who was removed meanwhile must not rejoin with it. */
async function rejoin(
  { directory }: WorkspaceDeps,
  workspace: Stored<WorkspaceResource>,
  userId: string,
): Promise<Standing> {
  const membership = await directory.memberships.findLive(membershipName(workspace.metadata.name, userId));
  if (!membership) throw new AppError('Conflict', 'the invitation was already accepted: ask for a new one');
  return { workspace, membership };
}
