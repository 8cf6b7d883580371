import { apiVersion, labels } from '../../../core/api/names.ts';
import type { UserResource } from '../../../core/api/resources/accountResources.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import { passwordType } from '../../../core/api/resources/resources.ts';
import type { PasswordResource } from '../../../core/api/resources/signIn/password.ts';
import type { Password } from '../../../core/api/rest/password.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { addressOf } from '../../../core/lib/text/email.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { notFound } from '../../store/find.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { canChangeEmail } from '../emailOwners.ts';
import { listLive } from '../list.ts';
import { endOtherSessions, requireCookies } from '../sessions/openSession.ts';
import { requireWholeAccess } from '../signIn/wholeAccess.ts';
import { addressKeyOf, chooseEmail, stateEmail } from './address.ts';
import { checkPassword } from './check.ts';
import { passwordOf } from './ownPassword.ts';
import { passwordNameOf, storePassword } from './passwordObjects.ts';

/** Whether the caller has a password. */
export function getPassword(deps: WorkspaceDeps): Handler<'getPassword'> {
  return async ({ principal }) => {
    const user = await findUser(deps, principal.userId);
    return { body: toPassword(user, await passwordOf(deps, user)) };
  };
}

/** Sets the password of the caller, for the address of the account. */
export function replacePassword(deps: WorkspaceDeps): Handler<'replacePassword'> {
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
    // Throws before anything is stored. The account keeps its password until the new one is.
    const stating = await stateEmail(deps, userId, { email });
    const stored = await storePassword(deps, newPassword(deps, stating, { email, hash }));
    // Another request may have stated another address in between.
    const restated = await stateEmail(deps, userId, {
      email,
      check: () => requireStored(deps, stored),
    });
    await removeOthers(deps, stored);
    await endOtherSessions(deps, principal);
    return { body: toPassword(restated, stored), objects: [`password of ${userId}`] };
  };
}

/** Removes the password of the caller. */
export function deletePassword(deps: WorkspaceDeps): Handler<'deletePassword'> {
  return async ({ principal }) => {
    await requireWholeAccess(deps, principal);
    const stored = await listLive(deps, passwordType, { 'spec.user': principal.userId });
    if (stored.length === 0) throw notFound('Password');
    for (const { metadata } of stored) await forCaller(deps.kube.delete(passwordType, metadata));
    await endOtherSessions(deps, principal);
    return { body: undefined, objects: [`password of ${principal.userId}`] };
  };
}

/** As the cluster has it: another replica may have changed its address. */
async function findUser({ directory }: WorkspaceDeps, userId: string): Promise<Stored<UserResource>> {
  const user = await directory.users.findLive(userId);
  if (!user) throw notFound('User');
  return user;
}

function newPassword(
  deps: WorkspaceDeps,
  user: Stored<UserResource>,
  { email, hash }: { email: string; hash: string },
): PasswordResource {
  const userId = user.metadata.name;
  return {
    apiVersion,
    kind: 'Password',
    metadata: {
      name: passwordNameOf(deps, userId),
      namespace: deps.namespace,
      labels: { [labels.user]: userId, [labels.address]: addressKeyOf(deps, addressOf(email)) },
      ownerReferences: [ownerReferenceTo(user)],
    },
    spec: { user: userId, email, changedAt: toRfc3339(deps.clock.nowMs()), hash },
  };
}

/** Throws Conflict if another request has stored a password after this one. */
async function requireStored(
  { kube }: WorkspaceDeps,
  { metadata, spec }: Stored<PasswordResource>,
): Promise<void> {
  const live = await forCaller(kube.get(passwordType, metadata));
  if (live?.spec.hash === spec.hash) return;
  throw new AppError('Conflict', 'another request has changed the password at the same moment: try again');
}

/** A user has one: that of version 0.3.0 goes. */
async function removeOthers(deps: WorkspaceDeps, kept: Stored<PasswordResource>): Promise<void> {
  const stored = await listLive(deps, passwordType, { 'spec.user': kept.spec.user });
  for (const { metadata } of stored) {
    if (metadata.name !== kept.metadata.name) await forCaller(deps.kube.delete(passwordType, metadata));
  }
}

function toPassword(user: UserResource, password: PasswordResource | undefined): Password {
  return {
    kind: 'Password',
    version: 'v1alpha1',
    isSet: password !== undefined,
    canChangeEmail: canChangeEmail(user),
    ...compact({ email: password?.spec.email ?? user.spec.email, changedAt: password?.spec.changedAt }),
  };
}
