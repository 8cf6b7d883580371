import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { createAccount, quotaOfAll } from '../../../../apiserver/workspaces/account.ts';
import { accept, newAttempt } from '../../../../apiserver/workspaces/invitations/accept.ts';
import { type Credential, noCredential } from '../../../../apiserver/workspaces/invitations/credential.ts';
import { checkQuota } from '../../../../apiserver/workspaces/quota.ts';
import { invitedUserIdOf, type RandomBytes } from '../../../../core/accounts/ids.ts';
import type {
  EmailProof,
  InvitationResource,
  UserResource,
} from '../../../../core/api/resources/accountResources.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { isSameEmail } from '../../../../core/lib/text/email.ts';
import type { OidcProviderSettings } from '../../api/settings.ts';
import type { IdentityDeps } from '../deps.ts';
import { ownerOfEmail } from '../emailOwners.ts';
import type { OidcClaims, OidcProvider } from '../oidc/provider.ts';
import { dropIdentity, hasUnlinked, linkIdentity, type Proof, userOfIdentity } from './identityObjects.ts';
import { signedUpUserIdOf } from './ids.ts';

/** Who came back from a provider, and what for. */
export interface Arrival {
  provider: OidcProvider;
  claims: OidcClaims;
  /** The invitation that is accepted with the sign-in. */
  invitation: Stored<InvitationResource> | undefined;
  random: RandomBytes;
  mark: string | undefined;
}

export interface Resolved {
  userId: string;
  /** The workspace that was joined. */
  workspaceId?: string;
}

/**
 * The user that an account at a provider signs in: the one it is linked to, or the one who owns its verified address and
 * has not unlinked it. Otherwise whoever has an invitation gets an account, and whoever the provider's setting allows. Throws
 * Forbidden if nobody.
 */
export async function resolveUser(deps: IdentityDeps, arrival: Arrival): Promise<Resolved> {
  const { provider, claims, invitation } = arrival;
  const proof = proofOf(claims);
  const linked = await userOfIdentity(deps, proof);
  const owner = linked ? undefined : await ownerByEmail(deps, arrival);
  const isUnlinked = owner !== undefined && hasUnlinked(owner, proof);
  if (owner && !isUnlinked) await linkIdentity(deps, owner, proof);
  const known = linked ?? (isUnlinked ? undefined : owner);
  if (invitation) return joinWith(deps, { ...arrival, invitation }, known);
  if (known) return { userId: known.metadata.name };
  if (isUnlinked) throw noAccount(provider, claims);
  return signUp(deps, arrival);
}

/** The identity that a provider has vouched for. */
export function proofOf({ issuer, subject, verifiedEmail }: OidcClaims): Proof {
  return { oidc: { issuer, subject, ...compact({ email: verifiedEmail }) } };
}

async function ownerByEmail(
  deps: IdentityDeps,
  { provider, claims }: Arrival,
): Promise<Stored<UserResource> | undefined> {
  const { verifiedEmail } = claims;
  if (!provider.settings.trustEmail || verifiedEmail === undefined) return undefined;
  return ownerOfEmail(deps, verifiedEmail);
}

async function joinWith(
  deps: IdentityDeps,
  { provider, claims, invitation, ...request }: Arrival & { invitation: Stored<InvitationResource> },
  known: Stored<UserResource> | undefined,
): Promise<Resolved> {
  const { issuer, subject, verifiedEmail } = claims;
  const emailProof = emailProofOf(provider, isSameEmail(verifiedEmail, invitation.spec.email));
  const userId = known?.metadata.name ?? invitedUserIdOf(invitation.metadata.name, ['oidc', issuer, subject]);
  const [{ workspace }] = await accept(deps, {
    invitation,
    attempt: newAttempt(userId, request),
    hasAccount: known !== undefined,
    emailProof,
    credential: known ? noCredential : identityOf(deps, userId, claims),
  });
  return { userId, workspaceId: workspace.metadata.name };
}

/**
 * The account is for this identity alone. If another attempt was faster, it is one of the same person, whose account keeps
 * the identity. If nobody has accepted, because the invitation was revoked, nobody signs in to the account.
 */
function identityOf(deps: IdentityDeps, userId: string, claims: OidcClaims): Credential<object> {
  const proof = proofOf(claims);
  return {
    async prepare() {
      await link(deps, userId, claims);
      return {};
    },
    stillExists: async () => (await userOfIdentity(deps, proof))?.metadata.name === userId,
    async discard(_nothing, { state }) {
      if (state !== 'Accepted') await dropIdentity(deps, userId, proof);
    },
  };
}

/** Whoever gets an account without an invitation. */
async function signUp(deps: IdentityDeps, { provider, claims }: Arrival): Promise<Resolved> {
  const { issuer, subject, verifiedEmail, name } = claims;
  if (!maySignUp(provider.settings, verifiedEmail)) throw noAccount(provider, claims);
  const userId = signedUpUserIdOf(issuer, subject);
  const former = await forCaller(deps.kube.get(userType, { namespace: deps.namespace, name: userId }));
  if (former && hasUnlinked(former, proofOf(claims))) throw noAccount(provider, claims);
  const quotas = [quotaOfAll(deps)];
  for (const quota of quotas) await checkQuota(deps, quota, userId);
  const emailProof = emailProofOf(provider, verifiedEmail !== undefined);
  await createAccount(deps, {
    userId,
    quotas,
    spec: compact({ email: verifiedEmail, name, emailProof }),
  });
  await link(deps, userId, claims);
  return { userId };
}

async function link(deps: IdentityDeps, userId: string, claims: OidcClaims): Promise<void> {
  const user = await deps.directory.users.find(userId);
  if (!user)
    throw new AppError('Unavailable', 'the account is not there yet: retry', { retryAfterSeconds: 1 });
  await linkIdentity(deps, user, proofOf(claims));
}

function maySignUp({ signUp: who, domains }: OidcProviderSettings, email: string | undefined): boolean {
  if (who !== 'domains') return who === 'any';
  return email !== undefined && domains.includes(email.slice(email.lastIndexOf('@') + 1));
}

const emailProofOf = ({ settings }: OidcProvider, isVerified: boolean): EmailProof | undefined =>
  settings.trustEmail && isVerified ? 'oidc' : undefined;

function noAccount({ title }: OidcProvider, { verifiedEmail }: OidcClaims): AppError {
  const who = verifiedEmail ?? 'your account there';
  return new AppError(
    'Forbidden',
    `${title} knows you, but no account here belongs to ${who}: open the link of an invitation and sign in from there, ` +
      `or sign in another way and link ${title} on the page of your account`,
  );
}
