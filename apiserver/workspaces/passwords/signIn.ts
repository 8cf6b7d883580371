import { AppError } from '../../../core/lib/errors.ts';
import { addressOf, isSameEmail } from '../../../core/lib/text/email.ts';
import { currentSource } from '../../http/limits/source.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { openSession, requireCookies } from '../sessions/openSession.ts';
import { addressKeyOf, stateEmail } from './address.ts';
import { userOf } from './userOf.ts';

/** Signs in with an address and a password of an account with that address. Every refusal is the same. */
export function signInWithPassword(deps: WorkspaceDeps): Handler<'signInWithPassword'> {
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
    const { email: own } = found.password.spec;
    // Version 0.3.0 left accounts without one, and an interrupted request leaves the one that it has stated.
    if (!isSameEmail(found.user.spec.email, own)) await stateEmail(deps, userId, { email: own });
    return openSession(deps, { userId, method: 'password' }, call);
  };
}
