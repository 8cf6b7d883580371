import type { Principal } from '../../../../apiserver/http/auth/principal.ts';
import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { notFound } from '../../../../apiserver/store/find.ts';
import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { listLive } from '../../../../apiserver/workspaces/list.ts';
import { apiVersion, labels } from '../../../../core/api/names.ts';
import type { UserResource, UserSpec } from '../../../../core/api/resources/accountResources.ts';
import { ownerReferenceTo } from '../../../../core/api/resources/kubeObject.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../../core/lib/clock.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { isAppError } from '../../../../core/lib/errors.ts';
import { addressOf } from '../../../../core/lib/text/email.ts';
import { type PasswordResource, passwordType } from '../../api/resources/password.ts';
import type { Password } from '../../api/rest/password.ts';
import type { IdentityDeps } from '../deps.ts';
import { canChangeEmail } from '../emailOwners.ts';
import { beginGeneration } from '../sessions/generation.ts';
import { removeOtherSessions, requireCookies } from '../sessions/openSession.ts';
import { requireWholeAccess } from '../signIn/wholeAccess.ts';
import { addressKeyOf, chooseEmail, withEmail } from './address.ts';
import { checkPassword } from './check.ts';
import { isFormer, passwordOf } from './ownPassword.ts';

/** After as long, the request that has stored a password without naming it has failed. */
const leftAfterMs = 10 * 60_000;

/** Whether the caller has a password. */
export function getPassword(deps: IdentityDeps): Handler<'getPassword'> {
  return async ({ principal }) => {
    const user = await findUser(deps, principal.userId);
    return { body: toPassword(user, await passwordOf(deps, user)) };
  };
}

/** Sets the password of the caller, for the address of the account. */
export function replacePassword(deps: IdentityDeps): Handler<'replacePassword'> {
  return async ({ principal, body }) => {
    requireCookies(deps);
    await requireWholeAccess(deps, principal);
    const { userId } = principal;
    const user = await findUser(deps, userId);
    const known = user.spec.email ?? (await passwordOf(deps, user))?.spec.email;
    const email = chooseEmail(user, known, body.email);
    checkPassword(body.password, email);
    const address = addressOf(email);
    const hash = deps.hasher.bind(await deps.hasher.tagOf(body.password, address), userId);
    const stored = await forCaller(deps.kube.create(passwordType, newPassword(deps, user, { email, hash })));
    const written = await beginWith(deps, principal, stored);
    await removeFormer(deps, written.former, stored);
    await removeOtherSessions(deps, principal);
    return { body: toPassword(written.user, stored), objects: [`password of ${userId}`] };
  };
}

/** Removes the password of the caller. */
export function deletePassword(deps: IdentityDeps): Handler<'deletePassword'> {
  return async ({ principal }) => {
    await requireWholeAccess(deps, principal);
    const stored = await listLive(deps, passwordType, { 'spec.user': principal.userId });
    if (stored.length === 0) throw notFound('Password');
    await beginGeneration(deps, principal, ({ spec }) => naming(spec, ''));
    for (const { metadata } of stored) await forCaller(deps.kube.delete(passwordType, metadata));
    await removeOtherSessions(deps, principal);
    return { body: undefined, objects: [`password of ${principal.userId}`] };
  };
}

/** As the cluster has it: another replica may have changed its address. */
async function findUser({ directory }: IdentityDeps, userId: string): Promise<Stored<UserResource>> {
  const user = await directory.users.findLive(userId);
  if (!user) throw notFound('User');
  return user;
}

/**
 * Makes a stored password that of its user, with its address, and ends that of the former one and the sessions, by one write. Where
 * that is refused the password is removed, which nobody has signed in with.
 */
async function beginWith(
  deps: IdentityDeps,
  principal: Principal,
  { metadata, spec: { email } }: Stored<PasswordResource>,
) {
  try {
    return await beginGeneration(deps, principal, (user) => naming(withEmail(user, email), metadata.name));
  } catch (error) {
    const isRefused = (['Unauthorized', 'BadRequest', 'NotFound'] as const).some((reason) =>
      isAppError(error, reason),
    );
    if (isRefused) await forCaller(deps.kube.delete(passwordType, metadata));
    throw error;
  }
}

const naming = ({ signIns, ...spec }: UserSpec, password: string): UserSpec => ({
  ...spec,
  signIns: { generation: 1, ...signIns, password },
});

function newPassword(
  deps: IdentityDeps,
  user: Stored<UserResource>,
  { email, hash }: { email: string; hash: string },
): PasswordResource {
  const userId = user.metadata.name;
  return {
    apiVersion,
    kind: 'Password',
    metadata: {
      name: `x${deps.random(12).toString('hex')}`,
      namespace: deps.namespace,
      labels: { [labels.user]: userId, [labels.address]: addressKeyOf(deps, addressOf(email)) },
      ownerReferences: [ownerReferenceTo(user)],
    },
    spec: { user: userId, email, changedAt: toRfc3339(deps.clock.nowMs()), hash },
  };
}

/** Those that no longer sign in; not that of a request at the same moment, which may be about to. */
async function removeFormer(
  { clock, ...deps }: IdentityDeps,
  former: UserResource,
  kept: Stored<PasswordResource>,
): Promise<void> {
  const stored = await listLive(deps, passwordType, { 'spec.user': kept.spec.user });
  const isLeft = ({ metadata: { creationTimestamp } }: Stored<PasswordResource>) =>
    (parseRfc3339(creationTimestamp) ?? 0) < clock.nowMs() - leftAfterMs;
  const isReplaced = (one: Stored<PasswordResource>) =>
    isFormer(one) || one.metadata.name === former.spec.signIns?.password || isLeft(one);
  for (const one of stored) {
    if (one.metadata.name === kept.metadata.name || !isReplaced(one)) continue;
    await forCaller(deps.kube.delete(passwordType, one.metadata));
  }
}

function toPassword(user: UserResource, password: PasswordResource | undefined): Password {
  return {
    kind: 'Password',
    version: 'v1alpha1',
    isSet: password !== undefined,
    canChangeEmail: canChangeEmail(user),
    ...compact({ email: user.spec.email ?? password?.spec.email, changedAt: password?.spec.changedAt }),
  };
}
