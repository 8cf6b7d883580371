import { passwordType } from '../../../core/api/resources/resources.ts';
import type { PasswordResource } from '../../../core/api/resources/signIn/password.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { currentSource } from '../../http/limits/source.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { openSession, requireCookies } from '../sessions/openSession.ts';
import { passwordNameOf } from './passwords.ts';

/** Signs in with an address and its password. An unknown address takes the same work as a wrong password. */
export function signInWithPassword(deps: WorkspaceDeps): Handler<'signInWithPassword'> {
  const { budget, attempts, hasher } = deps;
  return async (call) => {
    requireCookies(deps);
    const { email, password } = call.body;
    budget.spend();
    const name = passwordNameOf(deps, email);
    const succeed = attempts.begin(name, currentSource());
    const stored = await find(deps, name);
    const isRight = await hasher.matches(password, stored?.spec.user ?? name, stored?.spec.hash);
    if (!stored || !isRight) throw refused();
    succeed();
    return openSession(deps, { userId: stored.spec.user, method: 'password' }, call);
  };
}

/** Read live, whether it is there or not. Undefined if its user is gone. */
async function find(
  { kube, namespace, directory }: WorkspaceDeps,
  name: string,
): Promise<Stored<PasswordResource> | undefined> {
  const stored = await forCaller(kube.get(passwordType, { namespace, name }));
  const user = stored && (await directory.users.find(stored.spec.user));
  const isOfUser = stored?.metadata.ownerReferences?.some(({ uid }) => uid === user?.metadata.uid);
  return user && isOfUser ? stored : undefined;
}

function refused(): AppError {
  return new AppError('Unauthorized', 'the address or the password is wrong');
}
