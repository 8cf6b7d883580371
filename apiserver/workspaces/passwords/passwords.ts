import { hashOfSecret } from '../../../core/accounts/credentials.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import { passwordType } from '../../../core/api/resources/resources.ts';
import type { PasswordResource } from '../../../core/api/resources/signIn/password.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { notFound } from '../../store/find.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { listLive } from '../list.ts';
import { endOtherSessions, requireCookies } from '../sessions/openSession.ts';
import { requireWholeAccess } from '../signIn/wholeAccess.ts';
import { checkPassword } from './check.ts';

/** The name of the object with the password for an address: each address signs one account in. */
export function passwordNameOf({ pepper }: Pick<WorkspaceDeps, 'pepper'>, email: string): string {
  const address = email.trim().toLowerCase();
  return `x${hashOfSecret(pepper, 'password', `address/${address}`).toString('hex').slice(0, 24)}`;
}

/** Whether the caller has a password. */
export function getPassword(deps: WorkspaceDeps): Handler<'getPassword'> {
  return async ({ principal }) => {
    const [password] = await listLive(deps, passwordType, { 'spec.user': principal.userId });
    return { body: toPassword(password) };
  };
}

/** Sets the password of the caller, for the address of the account or another one. */
export function replacePassword(deps: WorkspaceDeps): Handler<'replacePassword'> {
  return async ({ principal, body }) => {
    requireCookies(deps);
    await requireWholeAccess(deps, principal);
    const { userId } = principal;
    const user = await deps.directory.users.find(userId);
    if (!user) throw notFound('User');
    const email = body.email ?? user.spec.email;
    if (email === undefined) throw needsAddress();
    checkPassword(body.password, email);
    const stored = await store(deps, {
      apiVersion,
      kind: 'Password',
      metadata: {
        ...{ name: passwordNameOf(deps, email), namespace: deps.namespace },
        ...{ labels: { [labels.user]: userId }, ownerReferences: [ownerReferenceTo(user)] },
      },
      spec: {
        ...{ user: userId, email, changedAt: toRfc3339(deps.clock.nowMs()) },
        hash: await deps.hasher.hash(body.password, userId),
      },
    });
    await removeOthers(deps, stored);
    await endOtherSessions(deps, principal);
    return { body: toPassword(stored), objects: [`password of ${userId}`] };
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

/** Creates it, or replaces an earlier one of the same user. */
async function store({ kube }: WorkspaceDeps, object: PasswordResource): Promise<Stored<PasswordResource>> {
  try {
    return await forCaller(kube.create(passwordType, object));
  } catch (error) {
    if (!isAppError(error, 'Conflict')) throw error;
    const current = await forCaller(kube.get(passwordType, object.metadata));
    if (current?.spec.user !== object.spec.user) throw taken();
    return forCaller(kube.replace(passwordType, { ...current, spec: object.spec }));
  }
}

/** A user has one: that for a former address goes. */
async function removeOthers(deps: WorkspaceDeps, kept: Stored<PasswordResource>): Promise<void> {
  const stored = await listLive(deps, passwordType, { 'spec.user': kept.spec.user });
  for (const { metadata } of stored) {
    if (metadata.name !== kept.metadata.name) await forCaller(deps.kube.delete(passwordType, metadata));
  }
}

function toPassword(password: PasswordResource | undefined) {
  const { email, changedAt } = password?.spec ?? {};
  return {
    ...{ kind: 'Password' as const, version: 'v1alpha1' as const, isSet: password !== undefined },
    ...compact({ email, changedAt }),
  };
}

function needsAddress(): AppError {
  const message = 'your account has no address: choose one to sign in with';
  return new AppError('BadRequest', `email: ${message}`, { details: [{ path: 'email', message }] });
}

function taken(): AppError {
  const message = 'this address signs another account in: choose another one, or use a passkey';
  return new AppError('Conflict', `email: ${message}`, { details: [{ path: 'email', message }] });
}
