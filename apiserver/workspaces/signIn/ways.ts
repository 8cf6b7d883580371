import { passkeyType, passwordType } from '../../../core/api/resources/resources.ts';
import type { Store } from '../../store/kubeErrors.ts';
import type { Directory } from '../directory/directory.ts';
import { listLive } from '../list.ts';

interface Place {
  kube: Pick<Store, 'list'>;
  directory: Pick<Directory, 'users'>;
  namespace: string;
}

/** Whether a user can sign in with a browser without an API key and without anybody's help. */
export async function hasOwnWay(place: Place, userId: string): Promise<boolean> {
  const user = await place.directory.users.find(userId);
  if (!user) return false;
  const selection = { 'spec.user': userId };
  const [passkeys, passwords] = await Promise.all([
    listLive(place, passkeyType, selection),
    listLive(place, passwordType, selection),
  ]);
  return [...passkeys, ...passwords].some(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => uid === user.metadata.uid),
  );
}
