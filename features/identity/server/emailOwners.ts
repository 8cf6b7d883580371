import type { Store } from '../../../apiserver/store/kubeErrors.ts';
import { listLive } from '../../../apiserver/workspaces/list.ts';
import type { UserResource } from '../../../core/api/resources/accountResources.ts';
import { userType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { addressOf } from '../../../core/lib/text/email.ts';

interface Place {
  kube: Pick<Store, 'list'>;
  /** The namespace of the service. */
  namespace: string;
}

/** All who have proven to own an address: whoever was mailed two invitations may have two accounts. */
export async function ownersOfEmail(place: Place, email: string): Promise<Stored<UserResource>[]> {
  const users = await listLive(place, userType, { 'spec.email': addressOf(email) });
  return users.filter(({ spec }) => spec.emailProof !== undefined);
}

/**
 * The one user who has proven to own an address. An address that is only stated does not count: whoever has an invitation
 * can state any address, and would get what its owner signs in with.
 */
export async function ownerOfEmail(place: Place, email: string): Promise<Stored<UserResource> | undefined> {
  const owners = await ownersOfEmail(place, email);
  return owners.length === 1 ? owners[0] : undefined;
}

/** Whether others have proven an address that a user only states: then it does not sign the user in. */
export function isDisplaced(user: Stored<UserResource>, owners: readonly Stored<UserResource>[]): boolean {
  return owners.length > 0 && !owners.some(({ metadata }) => metadata.uid === user.metadata.uid);
}

/** Whether an account may state another address: nobody invited it to the one that it has, and it has not proven it. */
export function canChangeEmail({ spec }: UserResource): boolean {
  return spec.email === undefined || (spec.invitation === undefined && spec.emailProof === undefined);
}
