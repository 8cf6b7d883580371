import { currentSource } from '../../../../apiserver/http/limits/source.ts';
import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { addressOf } from '../../../../core/lib/text/email.ts';
import type { IdentityDeps } from '../deps.ts';
import { openSession, requireCookies } from '../sessions/openSession.ts';
import { addressKeyOf, stateEmail } from './address.ts';
import { isOwn } from './ownPassword.ts';
import { userOf } from './userOf.ts';

/** Signs in with an address and a password of an account with that address. Every refusal is the same. */
export function signInWithPassword(deps: IdentityDeps): Handler<'signInWithPassword'> {
  const { budget, attempts } = deps;
  return async (call) => {
    requireCookies(deps);
    const { email, password } = call.body;
    const address = addressOf(email);
    budget.spend();
    const succeed = attempts.begin(addressKeyOf(deps, address), currentSource());
    const found = await userOf(deps, { address, password });
    if (!found) throw new AppError('Unauthorized', 'the address or the password is wrong');
    succeed();
    const userId = found.user.metadata.name;
    // In version 0.3.0 an account without an address had that of its password.
    if (found.user.spec.email === undefined) await stateEmail(deps, userId, found.password.spec.email);
    const stillCounts = (user: typeof found.user) => isOwn(found.password, user);
    return openSession(deps, { userId, method: 'password', stillCounts }, call);
  };
}
