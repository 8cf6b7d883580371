import { newMembership, newPersonalWorkspace, newUser } from '../../core/accounts/objects.ts';
import { adminUserId } from '../../core/api/names.ts';
import type {
  EmailProof,
  InvitationResource,
  MembershipResource,
  UserSpec,
} from '../../core/api/resources/accountResources.ts';
import { membershipType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { addressOf } from '../../core/lib/text/email.ts';
import { createIfAbsent } from '../store/createOnce.ts';
import { forCaller } from '../store/kubeErrors.ts';
import type { WorkspaceDeps } from './deps.ts';
import { type AccountQuota, atMost, keepWithinQuota } from './quota.ts';

interface NewAccount {
  userId: string;
  spec: UserSpec;
  quotas: readonly AccountQuota[];
}

/**
 * Creates an account with a personal workspace, and returns the membership of that workspace. Idempotent. Rejects with
 * Forbidden if a new account exceeds a quota, and leaves nothing then.
 */
export async function createAccount(
  deps: WorkspaceDeps,
  { userId, spec, quotas }: NewAccount,
): Promise<Stored<MembershipResource>> {
  const { kube, namespace } = deps;
  const wanted = newUser({ namespace, id: userId }, spec);
  const { object: user, isNew } = await forCaller(createOrFind(kube, userType, wanted));
  // Before the workspace, which is a namespace. An account that exists already is not deleted: somebody may use it.
  if (isNew) for (const quota of quotas) await keepWithinQuota(deps, quota, user);
  const workspace = await createIfAbsent(kube, workspaceType, newPersonalWorkspace(user));
  return createIfAbsent(kube, membershipType, newMembership(workspace, userId, 'owner'));
}

interface Invited {
  invitation: InvitationResource;
  userId: string;
  /** How the user has proven to own the address of the invitation. */
  emailProof: EmailProof | undefined;
  quotas: readonly AccountQuota[];
}

/** The account of the user who accepts an invitation. */
export async function createInvitedAccount(
  deps: WorkspaceDeps,
  { invitation, userId, emailProof, quotas }: Invited,
): Promise<Stored<MembershipResource>> {
  const { name: invitationId } = invitation.metadata;
  const sponsor = await sponsorOf(deps, invitation);
  const { email } = invitation.spec;
  const spec = {
    email: emailProof ? addressOf(email) : email,
    invitation: invitationId,
    ...compact({ sponsor, emailProof }),
  };
  return createAccount(deps, { userId, spec, quotas });
}

/** The quota that every account counts for. */
export function quotaOfAll({ quota: { accounts } }: WorkspaceDeps): AccountQuota {
  return {
    type: userType,
    selection: {},
    refuse: atMost(accounts, (count) =>
      full(
        `the installation has ${count} accounts, the maximum is ${accounts} (quota.accounts): ask its administrator`,
      ),
    ),
  };
}

/** The quotas that an account created by an invitation counts for. */
export async function accountQuotas(
  deps: WorkspaceDeps,
  invitation: InvitationResource,
): Promise<AccountQuota[]> {
  const { accountsPerUser } = deps.quota;
  const sponsor = await sponsorOf(deps, invitation);
  const whole = quotaOfAll(deps);
  if (sponsor === undefined) return [whole];
  const own: AccountQuota = {
    type: userType,
    selection: { 'spec.sponsor': sponsor },
    refuse: atMost(accountsPerUser, (count) =>
      full(
        `the user who invited you has brought in ${count} accounts, the maximum is ${accountsPerUser} (quota.accountsPerUser): ` +
          'ask the administrator of the installation for an invitation',
      ),
    ),
  };
  return [own, whole];
}

/**
 * The user whose quota an account counts for: the one who invited it, or the one who brought that user in, so that invited
 * accounts do not bring quotas of their own. None if administrators let it in themselves.
 */
async function sponsorOf(deps: WorkspaceDeps, { spec }: InvitationResource): Promise<string | undefined> {
  const { workspace, invitedBy } = spec;
  if (workspace === deps.defaultWorkspace.id || invitedBy === adminUserId) return undefined;
  const inviter = await deps.directory.users.find(invitedBy);
  return inviter?.spec.sponsor ?? invitedBy;
}

function full(message: string): AppError {
  return new AppError('Forbidden', message);
}
