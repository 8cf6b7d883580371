import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { notFound } from '../../../../apiserver/store/find.ts';
import { accountPage, listLive } from '../../../../apiserver/workspaces/list.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { identityType } from '../../api/resources/identity.ts';
import type { IdentityDeps } from '../deps.ts';
import { endOtherSessions } from '../sessions/openSession.ts';
import { requireWholeAccess } from '../signIn/wholeAccess.ts';
import { linkIdentity, toIdentity, unlinkIdentity } from './identityObjects.ts';
import { finishAttempt, wrongPurpose } from './oidc.ts';
import { proofOf } from './resolve.ts';
import { provenWallet } from './wallet.ts';

/** What the caller signs in with elsewhere, by id. */
export function listIdentities(deps: IdentityDeps): Handler<'listIdentities'> {
  return async ({ principal, query }) =>
    accountPage(deps, {
      kind: 'IdentityList',
      endpoint: 'listIdentities',
      principal,
      query,
      items: await listLive(deps, identityType, { 'spec.user': principal.userId }),
      keyOf: ({ metadata }) => metadata.name,
      toRest: (identity) => toIdentity(identity, deps.providers),
    });
}

/** Links what the caller has just proven to be theirs. */
export function createIdentity(deps: IdentityDeps): Handler<'createIdentity'> {
  return async ({ principal, body, cookies, idempotencyMark: mark }) => {
    await requireWholeAccess(deps, principal);
    const { userId } = principal;
    const user = await deps.directory.users.find(userId);
    if (!user)
      throw new AppError('Unavailable', 'the account is not there yet: retry', { retryAfterSeconds: 1 });
    const { proof, cookie } = await proofIn(deps, { ...body, userId, cookies, mark });
    const linked = await linkIdentity(deps, user, proof);
    return {
      body: toIdentity(linked, deps.providers),
      ...cookie,
      location: `/v1alpha1/identities/${linked.metadata.name}`,
      objects: [`identity ${linked.metadata.name} of ${userId}`],
    };
  };
}

/** Unlinks what the caller signs in with. Whoever had it may be signed in: all other sessions end with it. */
export function deleteIdentity(deps: IdentityDeps): Handler<'deleteIdentity'> {
  return async ({ principal, params }) => {
    await requireWholeAccess(deps, principal);
    const { userId } = principal;
    const name = params.identityId;
    if (!(await unlinkIdentity(deps, { userId, name }))) throw notFound('Identity');
    await endOtherSessions(deps, principal);
    return { body: undefined, objects: [`identity ${name} of ${userId}`] };
  };
}

interface Given {
  callback?: string | undefined;
  wallet?: { challenge: string; signature: string } | undefined;
  userId: string;
  cookies: string | undefined;
  mark: string | undefined;
}

async function proofIn(deps: IdentityDeps, { callback, wallet, userId, cookies, mark }: Given) {
  if (wallet) {
    const address = await provenWallet(deps, { ...wallet, mark }, userId);
    return { proof: { wallet: { address } }, cookie: {} };
  }
  const { attempt, claims } = await finishAttempt(deps, callback ?? '', {
    cookies,
    idempotencyMark: mark,
  });
  if (attempt.userId !== userId) throw wrongPurpose();
  return { proof: proofOf(claims), cookie: { cookie: deps.oidcAttempts.remove(attempt.secrets.state) } };
}
