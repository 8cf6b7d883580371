import type { EmailProof, UserResource } from '../../core/api/resources/accountResources.ts';
import { userType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import { updateLive } from '../store/updateLive.ts';
import type { WorkspaceDeps } from './deps.ts';
import { listLive } from './list.ts';

interface Proven {
  email: string;
  emailProof: EmailProof;
}

/** Notes that a user owns the address of the account. Nothing changes if the account states another address, or none. */
export async function proveEmail(
  { kube, namespace, directory }: WorkspaceDeps,
  userId: string,
  { email, emailProof }: Proven,
): Promise<void> {
  const absent = () => new AppError('NotFound', 'the account is gone: ask for a new invitation');
  const user = await updateLive(kube, { type: userType, namespace, name: userId, absent }, (current) => {
    const { spec } = current;
    if (spec.emailProof || !isSameEmail(spec.email, email)) return current;
    // Proven addresses are found by their lower-case form.
    return { ...current, spec: { ...spec, email: email.toLowerCase(), emailProof } };
  });
  directory.users.observe(user);
}

/**
 * The one user who has proven to own an address. An address that is only stated does not count: whoever has an invitation
 * can state any address, and would get what its owner signs in with.
 */
export async function ownerOfEmail(
  deps: WorkspaceDeps,
  email: string,
): Promise<Stored<UserResource> | undefined> {
  const users = await listLive(deps, userType, { 'spec.email': email.toLowerCase() });
  const owners = users.filter(({ spec }) => spec.emailProof !== undefined);
  return owners.length === 1 ? owners[0] : undefined;
}

/** Whether two addresses are the same, as mail servers in use compare them. */
export function isSameEmail(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
