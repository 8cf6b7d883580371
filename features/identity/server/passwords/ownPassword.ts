import type { Store } from '../../../../apiserver/store/kubeErrors.ts';
import { listLive } from '../../../../apiserver/workspaces/list.ts';
import { labels } from '../../../../core/api/names.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { isSameEmail } from '../../../../core/lib/text/email.ts';
import { type PasswordResource, passwordType } from '../../api/resources/password.ts';

type Password = Stored<PasswordResource>;

/** Whether a password is of version 0.3.0, whose objects were named by their address, and had no label with it. */
export function isFormer({ metadata }: PasswordResource): boolean {
  return metadata.labels?.[labels.address] === undefined;
}

/**
 * Whether a password is that of a user, for the user's own address: no other signs in. The user names it; one that names none has
 * that of an earlier version. A former one of an account without an address makes its address that of the account.
 */
export function isOwn(password: Password, user: Stored<UserResource>): boolean {
  const { metadata, spec } = password;
  if (!metadata.ownerReferences?.some(({ uid }) => uid === user.metadata.uid)) return false;
  const { email, signIns } = user.spec;
  if ((signIns?.password ?? metadata.name) !== metadata.name) return false;
  return email === undefined ? isFormer(password) : isSameEmail(spec.email, email);
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
