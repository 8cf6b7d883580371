import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { createOnce } from '../../../../apiserver/store/createOnce.ts';
import { notFound } from '../../../../apiserver/store/find.ts';
import { formatToken, hashOfSecret, newSecret } from '../../../../core/accounts/credentials.ts';
import { isId, newId } from '../../../../core/accounts/ids.ts';
import { apiVersion, labels } from '../../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../../core/api/resources/kubeObject.ts';
import { toRfc3339 } from '../../../../core/lib/clock.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { type SignInTicketResource, signInTicketType } from '../../api/resources/ticket.ts';
import type { IdentityDeps } from '../deps.ts';
import { openSession, requireCookies } from '../sessions/openSession.ts';
import { useTicket } from './tickets.ts';
import { requireWholeAccess } from './wholeAccess.ts';

const lifetimeMs = 15 * 60_000;

/** Creates a link that signs the owner of an API key in with a browser. */
export function createSignInLink(deps: IdentityDeps): Handler<'createSignInLink'> {
  const { kube, directory, namespace, pepper, clock, relyingParty } = deps;
  return async ({ principal: { userId, keyId, sessionId }, principal, random, idempotencyMark: mark }) => {
    requireCookies(deps);
    if (keyId === undefined || sessionId !== undefined) throw needsKey();
    await requireWholeAccess(deps, principal);
    const owner = isId('apiKey', keyId)
      ? await directory.apiKeys.find(keyId)
      : await directory.users.find(userId);
    if (!owner) throw notFound('User');
    const [id, secret] = [newId('link', random), newSecret('link', random)];
    const expiresAt = toRfc3339(clock.nowMs() + lifetimeMs);
    const object: SignInTicketResource = {
      apiVersion,
      kind: 'SignInTicket',
      metadata: {
        name: id,
        namespace,
        labels: { [labels.user]: userId },
        ownerReferences: [ownerReferenceTo(owner)],
      },
      spec: {
        purpose: 'link',
        expiresAt,
        user: userId,
        apiKey: keyId,
        secretHash: hashOfSecret(pepper, 'link', secret).toString('hex'),
      },
    };
    await createOnce(kube, { type: signInTicketType, object, mark });
    const url = `${relyingParty.consoleUrl}/sign-in#${formatToken(id, secret)}`;
    return {
      body: { kind: 'SignInLink', version: 'v1alpha1', url, expiresAt },
      objects: [`sign-in link ${id} of ${userId}`],
    };
  };
}

/** Signs in with the token of a link, which is used up. */
export function signInWithLink(deps: IdentityDeps): Handler<'signInWithLink'> {
  return async (call) => {
    requireCookies(deps);
    const ticket = await useTicket(deps, { kind: 'link', token: call.body.token }, call.idempotencyMark);
    const { user: userId, apiKey = '' } = ticket?.spec ?? {};
    // Its key may have just been revoked at another replica.
    const stillCounts = async () => (await deps.keys.findLive(apiKey))?.userId === userId;
    if (!ticket || userId === undefined || !(await stillCounts())) throw invalid();
    const reply = await openSession(deps, { userId, method: 'link', stillCounts }, call);
    return { ...reply, objects: [...(reply.objects ?? []), `sign-in link ${ticket.metadata.name}`] };
  };
}

function invalid(): AppError {
  return new AppError(
    'Unauthorized',
    'the sign-in link is not valid: it works once, for 15 minutes, while the API key that created it is valid',
  );
}

function needsKey(): AppError {
  return new AppError(
    'Forbidden',
    'a session cannot create sign-in links: send the API key, for example with "slipway console"',
  );
}
