import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { labels } from '../../../../core/api/names.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { type PasswordResource, passwordType } from '../../api/resources/password.ts';
import type { IdentityDeps } from '../deps.ts';
import { isDisplaced, ownersOfEmail } from '../emailOwners.ts';
import { addressKeyOf } from './address.ts';
import { isFormer, isOwn } from './ownPassword.ts';

type Deps = Pick<IdentityDeps, 'kube' | 'namespace' | 'pepper' | 'hasher'>;
type Password = Stored<PasswordResource>;

export interface SignedIn {
  user: Stored<UserResource>;
  password: Password;
}

/**
 * Whom an address and a password sign in: of the accounts that have the address, one that has proven it, or any if nobody
 * has. Undefined if nobody. What is read and computed does not depend on who has the address, or whether anybody does.
 */
export async function userOf(
  deps: Deps,
  { address, password }: { address: string; password: string },
): Promise<SignedIn | undefined> {
  const { passwords, owners, hasFormer } = await readAddress(deps, address);
  const tag = await deps.hasher.tagOf(password, address);
  const isFormerRight =
    hasFormer && (await deps.hasher.isRightFormer(password, passwords.find(isFormer)?.spec));
  const isRight = (one: Password) => (isFormer(one) ? isFormerRight : deps.hasher.isRight(tag, one.spec));
  const right = passwords.filter(isRight);
  const users = await readUsers(deps, right, addressKeyOf(deps, address));
  const found = right.flatMap((one) => {
    const user = users.find(({ metadata }) => metadata.name === one.spec.user);
    return user && isOwn(one, user) && !isDisplaced(user, owners) ? [{ user, password: one }] : [];
  });
  // Of two accounts of somebody who uses the same password for both.
  return found.toSorted((a, b) => (a.password.spec.changedAt < b.password.spec.changedAt ? 1 : -1))[0];
}

/** The passwords for an address, who has proven it, and whether the installation has any password of version 0.3.0. */
async function readAddress(deps: Deps, address: string) {
  const { kube, namespace } = deps;
  const name = addressKeyOf(deps, address);
  const [{ items }, former, anyFormer, owners] = await Promise.all([
    forCaller(kube.list(passwordType, { namespace, labelSelector: `${labels.address}=${name}` })),
    forCaller(kube.get(passwordType, { namespace, name })),
    forCaller(kube.list(passwordType, { namespace, labelSelector: `!${labels.address}`, limit: 1 })),
    ownersOfEmail(deps, address),
  ]);
  // A replica of version 0.3.0 may have left one beside a newer one of the same user.
  const isAlone = former && !items.some(({ spec }) => spec.user === former.spec.user);
  const passwords = isAlone ? [...items, former] : items;
  return {
    passwords: passwords.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    owners,
    hasFormer: anyFormer.items.length > 0,
  };
}

/** Reads one user also if no password is right: `nobody`, whom there is not. */
async function readUsers(
  { kube, namespace }: Deps,
  passwords: readonly Password[],
  nobody: string,
): Promise<Stored<UserResource>[]> {
  const names = passwords.length > 0 ? passwords.map(({ spec }) => spec.user) : [nobody];
  const users = await Promise.all(names.map((name) => forCaller(kube.get(userType, { namespace, name }))));
  return users.flatMap((user) => (user && !user.metadata.deletionTimestamp ? [user] : []));
}
