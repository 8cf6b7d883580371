import { notFound } from '../../../../apiserver/store/find.ts';
import { updateLive } from '../../../../apiserver/store/updateLive.ts';
import { hashOfSecret } from '../../../../core/accounts/credentials.ts';
import type { UserResource, UserSpec } from '../../../../core/api/resources/accountResources.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { isSameEmail } from '../../../../core/lib/text/email.ts';
import type { IdentityDeps } from '../deps.ts';
import { canChangeEmail } from '../emailOwners.ts';

/** What stands for an address where it must not be read: in a label, and in the counts of wrong passwords. */
export function addressKeyOf({ pepper }: Pick<IdentityDeps, 'pepper'>, address: string): string {
  return `x${hashOfSecret(pepper, 'password', `address/${address}`).toString('hex').slice(0, 24)}`;
}

/**
 * The address that a new password is for: the account's own, or the one that an account states which may do so. Throws
 * BadRequest, with the same message for an address that somebody else has and for one that nobody has.
 */
export function chooseEmail(
  user: UserResource,
  known: string | undefined,
  given: string | undefined,
): string {
  if (given === undefined || isSameEmail(given, known)) {
    if (known !== undefined) return known;
    throw atEmail('your account has no address: choose one to sign in with');
  }
  if (canChangeEmail(user)) return given;
  throw notOwn();
}

/** Makes an address that of an account, unproven. Throws BadRequest if the account may not state another one. */
export async function stateEmail(
  { kube, namespace }: IdentityDeps,
  userId: string,
  email: string,
): Promise<Stored<UserResource>> {
  const target = { type: userType, namespace, name: userId, absent: () => notFound('User') };
  return updateLive(kube, target, (current) => {
    const spec = withEmail(current, email);
    return spec === current.spec ? current : { ...current, spec };
  });
}

/** An account that states an address. Throws BadRequest if it may not state another one. */
export function withEmail(user: UserResource, email: string): UserSpec {
  const { spec } = user;
  if (isSameEmail(spec.email, email)) return spec;
  if (!canChangeEmail(user)) throw notOwn();
  return { ...spec, email };
}

const notOwn = () =>
  atEmail('is not the address of your account, the only one that signs you in: leave it out');

function atEmail(message: string): AppError {
  return new AppError('BadRequest', `email: ${message}`, { details: [{ path: 'email', message }] });
}
