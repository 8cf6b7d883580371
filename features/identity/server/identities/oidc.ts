import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { notFound } from '../../../../apiserver/store/find.ts';
import { findByToken } from '../../../../apiserver/workspaces/invitations/claim.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import type { IdentityDeps } from '../deps.ts';
import { type Attempt, notBegun } from '../oidc/attempts.ts';
import type { OidcClaims, OidcProvider } from '../oidc/provider.ts';
import { openSession, requireCookies } from '../sessions/openSession.ts';
import { isFirstUse } from '../signIn/tickets.ts';
import { requireWholeAccess } from '../signIn/wholeAccess.ts';
import { isLinked } from './identityObjects.ts';
import { proofOf, resolveUser } from './resolve.ts';

/** What the state of an attempt begins with: the page that it comes back to knows what to do. */
type Purpose = 'signIn' | 'link';

/** Sends a browser to a provider. */
export function createOidcAttempt(deps: IdentityDeps): Handler<'createOidcAttempt'> {
  return async ({ params, body, cookies }) => {
    requireCookies(deps);
    deps.budget.spend();
    const { invitation, next } = body;
    // Before the provider, where a wrong token would be a surprise.
    if (invitation !== undefined) await findByToken(deps, invitation);
    return begin(deps, { provider: params.provider, purpose: 'signIn', cookies }, { invitation, next });
  };
}

/** Sends the browser of a user to a provider, to link an account there. */
export function createIdentityAttempt(deps: IdentityDeps): Handler<'createIdentityAttempt'> {
  return async ({ principal, params, cookies }) => {
    await requireWholeAccess(deps, principal);
    const attempt = { provider: params.provider, purpose: 'link', cookies } as const;
    return begin(deps, attempt, { userId: principal.userId });
  };
}

/** Signs in whoever came back from a provider. */
export function createOidcSession(deps: IdentityDeps): Handler<'createOidcSession'> {
  return async (call) => {
    requireCookies(deps);
    const { callback } = call.body;
    const { attempt, provider, claims } = await finishAttempt(deps, callback, call);
    if (attempt.userId !== undefined) throw wrongPurpose();
    const found = attempt.invitation && (await findByToken(deps, attempt.invitation));
    const invitation = found ? found.invitation : undefined;
    const arrival = { provider, claims, invitation, random: call.random, mark: call.idempotencyMark };
    const { userId, workspaceId } = await resolveUser(deps, arrival);
    const stillCounts = (user: Stored<UserResource>) => isLinked(deps, user, proofOf(claims));
    const reply = await openSession(deps, { userId, method: 'oidc', stillCounts }, call);
    return {
      ...reply,
      body: { ...reply.body, ...compact({ workspaceID: workspaceId, next: attempt.next }) },
      cookie: [reply.cookie ?? [], deps.oidcAttempts.remove(attempt.secrets.state)].flat(),
      objects: [...(reply.objects ?? []), `provider ${provider.settings.name}`],
    };
  };
}

interface Beginning {
  provider: string;
  purpose: Purpose;
  cookies: string | undefined;
}

async function begin(
  deps: IdentityDeps,
  { provider: name, purpose, cookies }: Beginning,
  given: Pick<Attempt, 'userId' | 'invitation' | 'next'>,
) {
  const { url, secrets } = await findProvider(deps, name).begin(purpose);
  return {
    body: { kind: 'OidcAttempt', version: 'v1alpha1', url } as const,
    cookie: deps.oidcAttempts.keep({ provider: name, secrets, ...given }, cookies),
    objects: [`provider ${name}`],
  };
}

/**
 * Whoever came back, as the provider of the attempt vouches. Throws Unauthorized unless this browser began it. The attempt
 * is used up before the provider is asked, which may take back what it vouched for if it is asked twice.
 */
export async function finishAttempt(
  deps: IdentityDeps,
  callback: string,
  { cookies, idempotencyMark: mark }: { cookies: string | undefined; idempotencyMark: string | undefined },
): Promise<{ attempt: Attempt; provider: OidcProvider; claims: OidcClaims }> {
  const query = callback.replace(/^\?/, '');
  const attempt = deps.oidcAttempts.open(new URLSearchParams(query).get('state') ?? '', cookies);
  const provider = findProvider(deps, attempt.provider);
  if (!(await isFirstUse(deps, { what: 'oidc', value: attempt.secrets.state }, mark))) throw notBegun();
  return { attempt, provider, claims: await provider.finish(query, attempt.secrets) };
}

function findProvider({ providers }: IdentityDeps, name: string): OidcProvider {
  const provider = providers.find(({ settings }) => settings.name === name);
  if (provider) return provider;
  throw notFound('OpenID provider');
}

export function wrongPurpose(): AppError {
  return new AppError('Unauthorized', 'this sign-in was begun for something else: start again');
}
