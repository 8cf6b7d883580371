import type { RandomBytes } from '../../../core/accounts/ids.ts';
import { isAtLeast, roleIn } from '../../../core/accounts/roles.ts';
import type {
  EmailProof,
  InvitationResource,
  InvitationStatus,
  MembershipResource,
  WorkspaceResource,
} from '../../../core/api/resources/accountResources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { accountQuotas, createInvitedAccount } from '../account.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { standingOfLive } from '../directory/principals.ts';
import { proveEmail } from '../emailProof.ts';
import { checkOwners } from '../owners.ts';
import { type AccountQuota, checkQuota } from '../quota.ts';
import {
  type Attempt,
  claim,
  type Outcome,
  release,
  settle,
  unknownToken,
  unusable,
  withdraw,
} from './claim.ts';
import type { Credential, Joined } from './credential.ts';
import { join, leave, memberAs, refuseMember } from './join.ts';

export interface Acceptance<T> {
  invitation: Stored<InvitationResource>;
  /** `userId` is who joins: somebody with an account, or else the id of the account to create. */
  attempt: Attempt;
  hasAccount: boolean;
  /** How whoever accepts has proven to own the address of the invitation. */
  emailProof: EmailProof | undefined;
  credential: Credential<T>;
}

/** `mark` of a request with an Idempotency-Key; without one, a repeated request is another attempt. */
export function newAttempt(
  userId: string,
  { mark, random }: { mark: string | undefined; random: RandomBytes },
): Attempt {
  return { userId, id: mark ?? `r${random('acceptance', 20).toString('hex')}` };
}

/**
 * Accepts an invitation. Somebody with an account joins with it. Otherwise an account is created for this invitation
 * alone: its token proves the invitation, not the e-mail address, so the account neither takes an address from anybody nor
 * gives access to what others have.
 *
 * The invitation is used up by one write, `settle`. What comes before it is prepared, and can be prepared again after a
 * crash; nothing of it is given out, and whoever loses takes it back, or `takeBackLeftovers` does. Nothing that can fail
 * comes after it.
 */
export async function accept<T>(deps: WorkspaceDeps, acceptance: Acceptance<T>): Promise<[Joined, T]> {
  const { invitation, attempt, hasAccount, credential } = acceptance;
  const { userId } = attempt;
  const workspace = await deps.directory.workspaces.find(invitation.spec.workspace);
  if (!workspace) throw unknownToken();
  const quotas = hasAccount ? [] : await accountQuotas(deps, invitation);
  const check = () => checkPending(deps, { invitation, workspace, userId, quotas });
  const { isSettled } = await claim(deps, invitation, { ...attempt, check });
  if (isSettled) return acceptedBefore(deps, acceptance, workspace);
  const founder = hasAccount ? undefined : await createOrRelease(deps, acceptance, quotas);
  const standing = await join(deps, workspace, { userId, invitation });
  await proveAddress(deps, acceptance);
  const joined = { ...standing, userId, founder };
  const prepared = await credential.prepare(joined);
  await settleOrLeave(deps, acceptance, { joined, prepared });
  return [joined, prepared];
}

/** A repeated request gets what the first one got, if it is still there, and nothing new. */
async function acceptedBefore<T>(
  deps: WorkspaceDeps,
  acceptance: Acceptance<T>,
  workspace: Stored<WorkspaceResource>,
): Promise<[Joined, T]> {
  const { attempt, hasAccount, credential } = acceptance;
  const standing = await memberAs(deps, workspace, attempt.userId);
  if (!standing || !(await credential.stillExists())) throw unusable('accepted');
  const founder = hasAccount ? undefined : await createOrRelease(deps, acceptance, []);
  const joined = { ...standing, userId: attempt.userId, founder };
  return [joined, await credential.prepare(joined)];
}

async function settleOrLeave<T>(
  deps: WorkspaceDeps,
  acceptance: Acceptance<T>,
  made: Made<T>,
): Promise<void> {
  const { invitation, attempt } = acceptance;
  // Long ago, if the attempt was interrupted or paused, the inviter still granted the role.
  const refusal = await refusalOf(deps, invitation);
  const outcome = refusal
    ? await withdraw(deps, invitation, attempt)
    : await settleMade(deps, acceptance, made);
  if (outcome.won) return;
  await takeBack(deps, acceptance, { ...made, status: outcome.status });
  throw refusal ?? unusable(outcome.status.state === 'Revoked' ? 'revoked' : 'accepted');
}

/** What an attempt has made before it is settled. */
interface Made<T> {
  joined: Joined;
  prepared: T;
}

async function settleMade<T>(
  deps: WorkspaceDeps,
  { invitation, attempt, credential }: Acceptance<T>,
  { joined, prepared }: Made<T>,
): Promise<Outcome> {
  const membership = joined.membership.metadata.uid;
  return settle(deps, invitation, { ...attempt, membership }).catch(async (error: unknown) => {
    if (isAppError(error, 'Conflict')) await credential.discard(prepared, {});
    throw error;
  });
}

/** Both, also if one of them fails: then the answer says so, and nothing of the other one is left. */
async function takeBack<T>(
  deps: WorkspaceDeps,
  { invitation, credential }: Acceptance<T>,
  { joined, prepared, status }: Made<T> & { status: InvitationStatus },
): Promise<void> {
  const ends = await Promise.allSettled([
    leave(deps, joined, { invitation, status }),
    credential.discard(prepared, status),
  ]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

interface Pending {
  invitation: Stored<InvitationResource>;
  workspace: Stored<WorkspaceResource>;
  userId: string;
  quotas: readonly AccountQuota[];
}

/** Throws if the user may not accept a pending invitation: before anything is created. */
async function checkPending(
  deps: WorkspaceDeps,
  { invitation, workspace, userId, quotas }: Pending,
): Promise<void> {
  const refusal = await refusalOf(deps, invitation);
  if (refusal) throw refusal;
  await refuseMember(deps, workspace, userId);
  if (invitation.spec.role === 'owner') checkOwners(workspace.spec.owners);
  for (const quota of quotas) await checkQuota(deps, quota, userId);
}

/** Whoever was removed or demoted meanwhile, on any replica, no longer grants the role. */
async function refusalOf(
  { directory }: WorkspaceDeps,
  { spec }: InvitationResource,
): Promise<AppError | undefined> {
  const inviter = await standingOfLive(directory, spec.workspace, spec.invitedBy);
  if (inviter && isAtLeast(roleIn(inviter.workspace, inviter.membership), spec.role)) return undefined;
  return new AppError(
    'Conflict',
    'the user who invited you may no longer grant this role: ask for a new invitation',
  );
}

async function createOrRelease(
  deps: WorkspaceDeps,
  { invitation, attempt: { userId }, emailProof }: Omit<Acceptance<never>, 'credential'>,
  quotas: readonly AccountQuota[],
): Promise<Stored<MembershipResource>> {
  try {
    return await createInvitedAccount(deps, { invitation, userId, emailProof, quotas });
  } catch (error) {
    if (isAppError(error, 'Forbidden')) await release(deps, invitation, userId);
    throw error;
  }
}

/** All who claim as the same user have shown the same: whoever of them settles the invitation has proven it. */
async function proveAddress(
  deps: WorkspaceDeps,
  { invitation, attempt, emailProof }: Omit<Acceptance<never>, 'credential'>,
): Promise<void> {
  const { email } = invitation.spec;
  if (emailProof) await proveEmail(deps, attempt.userId, { email, emailProof });
}
