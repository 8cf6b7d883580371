import type { KeyObject } from 'node:crypto';
import { hashOfSecret } from '../../../core/accounts/credentials.ts';
import { passwordType } from '../../../core/api/resources/resources.ts';
import type { PasswordResource } from '../../../core/api/resources/signIn/password.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { notFound } from '../../store/find.ts';
import { forCaller, type Store } from '../../store/kubeErrors.ts';
import { updateLive } from '../../store/updateLive.ts';

type Password = Stored<PasswordResource>;

/** The name of the object with the password of a user: each has one. */
export function passwordNameOf({ pepper }: { pepper: KeyObject }, userId: string): string {
  return `x${hashOfSecret(pepper, 'password', `user/${userId}`).toString('hex').slice(0, 24)}`;
}

/** Stores the password of a user in place of the one before. */
export async function storePassword(
  { kube, namespace }: { kube: Store; namespace: string },
  object: PasswordResource,
): Promise<Password> {
  try {
    return await forCaller(kube.create(passwordType, object));
  } catch (error) {
    if (!isAppError(error, 'Conflict')) throw error;
  }
  const { name, labels: own, ownerReferences } = object.metadata;
  const target = { type: passwordType, namespace, name, absent: () => notFound('Password') };
  return updateLive(kube, target, ({ metadata, ...current }) => ({
    ...current,
    // An account before this one had the same id.
    metadata: { ...metadata, ...compact({ labels: own, ownerReferences }) },
    spec: object.spec,
  }));
}
