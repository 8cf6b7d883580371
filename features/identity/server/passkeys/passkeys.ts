import type { Principal } from '../../../../apiserver/http/auth/principal.ts';
import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { notFound } from '../../../../apiserver/store/find.ts';
import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { updateLive } from '../../../../apiserver/store/updateLive.ts';
import { accountPage, listLive } from '../../../../apiserver/workspaces/list.ts';
import { isId } from '../../../../core/accounts/ids.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { type PasskeyResource, passkeyType } from '../../api/resources/passkey.ts';
import type { IdentityDeps } from '../deps.ts';
import { endOtherSessions } from '../sessions/openSession.ts';
import { requireWholeAccess } from '../signIn/wholeAccess.ts';
import { describePasskey, toPasskey } from './mapping.ts';

/** The caller's passkeys, by id. */
export function listPasskeys(deps: IdentityDeps): Handler<'listPasskeys'> {
  return async ({ principal, query }) =>
    accountPage(deps, {
      kind: 'PasskeyList',
      endpoint: 'listPasskeys',
      principal,
      query,
      items: await listLive(deps, passkeyType, { 'spec.user': principal.userId }),
      keyOf: ({ metadata }) => metadata.name,
      toRest: toPasskey,
    });
}

/** Renames a passkey of the caller. */
export function replacePasskey(deps: IdentityDeps): Handler<'replacePasskey'> {
  return async ({ principal, params, body }) => {
    await requireWholeAccess(deps, principal);
    const { metadata } = await findOwn(deps, principal, params.passkeyId);
    const renamed = await updateLive(
      deps.kube,
      { type: passkeyType, namespace: deps.namespace, name: metadata.name, absent: unknown },
      (current) => ({
        ...current,
        spec: { ...current.spec, name: body.name },
      }),
    );
    return { body: toPasskey(renamed), objects: [describePasskey(renamed)] };
  };
}

/** Removes a passkey of the caller. Whoever had it may be signed in: all other sessions end with it. */
export function deletePasskey(deps: IdentityDeps): Handler<'deletePasskey'> {
  return async ({ principal, params }) => {
    await requireWholeAccess(deps, principal);
    const passkey = await findOwn(deps, principal, params.passkeyId);
    const { metadata } = passkey;
    await forCaller(deps.kube.delete(passkeyType, metadata, { uid: metadata.uid }));
    await endOtherSessions(deps, principal);
    return { body: undefined, objects: [describePasskey(passkey)] };
  };
}

async function findOwn(
  { kube, namespace }: IdentityDeps,
  { userId }: Principal,
  id: string,
): Promise<Stored<PasskeyResource>> {
  const passkey = isId('passkey', id)
    ? await forCaller(kube.get(passkeyType, { namespace, name: id }))
    : undefined;
  if (passkey?.spec.user !== userId) throw unknown();
  return passkey;
}

const unknown = () => notFound('Passkey');
