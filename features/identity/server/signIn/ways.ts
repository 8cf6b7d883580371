import type { Store } from '../../../../apiserver/store/kubeErrors.ts';
import type { Directory } from '../../../../apiserver/workspaces/directory/directory.ts';
import { listLive } from '../../../../apiserver/workspaces/list.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { passkeyType } from '../../api/resources/passkey.ts';
import { isDisplaced, ownersOfEmail } from '../emailOwners.ts';
import { passwordOf } from '../passwords/ownPassword.ts';

interface Place {
  kube: Pick<Store, 'list'>;
  directory: Pick<Directory, 'users'>;
  namespace: string;
}

/** Whether a user can sign in with a browser without an API key and without anybody's help. */
export async function hasOwnWay(place: Place, userId: string): Promise<boolean> {
  const user = await place.directory.users.findLive(userId);
  if (!user) return false;
  const passkeys = await listLive(place, passkeyType, { 'spec.user': userId });
  const isOfUser = passkeys.some(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => uid === user.metadata.uid),
  );
  return isOfUser || hasPassword(place, user);
}

async function hasPassword(place: Place, user: Stored<UserResource>): Promise<boolean> {
  const password = await passwordOf(place, user);
  return password !== undefined && !isDisplaced(user, await ownersOfEmail(place, password.spec.email));
}
