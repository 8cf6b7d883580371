import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import { ownerOf } from '../../core/api/views/objectMeta.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Principal } from '../http/auth/principal.ts';

/** Whether the caller gets the data of a secret: its owner does, by a key or session that may also create secrets. */
export function mayReadData(
  { userId, permissions }: Pick<Principal, 'userId' | 'permissions'>,
  secret: Stored<KubeObject>,
): boolean {
  return permissions.has('secrets:write') && ownerOf(secret) === userId;
}
