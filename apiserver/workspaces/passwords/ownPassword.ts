import { labels } from '../../../core/api/names.ts';
import type { UserResource } from '../../../core/api/resources/accountResources.ts';
import { passwordType } from '../../../core/api/resources/resources.ts';
import type { PasswordResource } from '../../../core/api/resources/signIn/password.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { isSameEmail } from '../../../core/lib/text/email.ts';
import type { Store } from '../../store/kubeErrors.ts';
import { canChangeEmail } from '../emailOwners.ts';
import { listLive } from '../list.ts';

type Password = Stored<PasswordResource>;

/** Whether a password is of version 0.3.0, whose objects were named by their address, and had no label with it. */
export function isFormer({ metadata }: PasswordResource): boolean {
  return metadata.labels?.[labels.address] === undefined;
}

/**
 * Whether a password is that of a user, for the user's own address: no other signs in. An account that may state any
 * address has that of its password, whatever a request has stated that was interrupted before it stored another one; and
 * that of a former password only if it has none.
 */
export function isOwn(password: Password, user: Stored<UserResource>): boolean {
  const { metadata, spec } = password;
  if (!metadata.ownerReferences?.some(({ uid }) => uid === user.metadata.uid)) return false;
  const { email } = user.spec;
  if (isSameEmail(spec.email, email)) return true;
  return isFormer(password) ? email === undefined : canChangeEmail(user);
}

/** The password that a user signs in with; undefined if there is none. */
export async function passwordOf(
  place: { kube: Pick<Store, 'list'>; namespace: string },
  user: Stored<UserResource>,
): Promise<Password | undefined> {
  const stored = await listLive(place, passwordType, { 'spec.user': user.metadata.name });
  const own = stored.filter((password) => isOwn(password, user));
  return own.find((password) => !isFormer(password)) ?? own[0];
}
