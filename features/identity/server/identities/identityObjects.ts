import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { updateLive } from '../../../../apiserver/store/updateLive.ts';
import { atMost, checkQuota, keepWithinQuota, type Quota } from '../../../../apiserver/workspaces/quota.ts';
import { annotations, apiVersion, labels } from '../../../../core/api/names.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import { ownerReferenceTo } from '../../../../core/api/resources/kubeObject.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import { createOrFind } from '../../../../core/kube/createOrFind.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError, isAppError } from '../../../../core/lib/errors.ts';
import { type IdentityResource, type IdentitySpec, identityType } from '../../api/resources/identity.ts';
import type { Identity } from '../../api/rest/identity.ts';
import type { IdentityDeps } from '../deps.ts';
import { oidcIdentityName, walletIdentityName } from './ids.ts';

const maxIdentities = 20;
const maxUnlinked = 100;

/** What signs in, without the user. */
export type Proof = Omit<IdentitySpec, 'user'>;

/**
 * The user that a proven identity is linked to; undefined if it is not linked. No budget is asked: what proved it was used up
 * by that, and a refusal now would lose it.
 */
export async function userOfIdentity(
  { kube, namespace, directory }: IdentityDeps,
  proof: Proof,
): Promise<Stored<UserResource> | undefined> {
  const identity = await findIdentity({ kube, namespace }, proof);
  const user = identity && (await directory.users.find(identity.spec.user));
  return user && isOf(user, identity) ? user : undefined;
}

/** Whether an identity is linked to a user, as the cluster has it. */
export async function isLinked(
  deps: Pick<IdentityDeps, 'kube' | 'namespace'>,
  user: Stored<UserResource>,
  proof: Proof,
): Promise<boolean> {
  const identity = await findIdentity(deps, proof);
  return identity !== undefined && isOf(user, identity);
}

async function findIdentity(
  { kube, namespace }: Pick<IdentityDeps, 'kube' | 'namespace'>,
  proof: Proof,
): Promise<Stored<IdentityResource> | undefined> {
  const identity = await forCaller(kube.get(identityType, { namespace, name: identityNameOf(proof) }));
  return identity?.metadata.deletionTimestamp ? undefined : identity;
}

/** Not that of an account that is gone, until the cluster has deleted it, too. */
function isOf(user: Stored<UserResource>, { metadata, spec }: Stored<IdentityResource>): boolean {
  const isOwned = metadata.ownerReferences?.some(({ uid }) => uid === user.metadata.uid) ?? false;
  return isOwned && spec.user === user.metadata.name;
}

/** Links an identity to a user. Idempotent; Conflict if it belongs to another user. */
export async function linkIdentity(
  deps: IdentityDeps,
  user: Stored<UserResource>,
  proof: Proof,
): Promise<Stored<IdentityResource>> {
  const { namespace, kube } = deps;
  const userId = user.metadata.name;
  const object: IdentityResource = {
    apiVersion,
    kind: 'Identity',
    metadata: {
      name: identityNameOf(proof),
      namespace,
      labels: { [labels.user]: userId },
      ownerReferences: [ownerReferenceTo(user)],
    },
    spec: { user: userId, ...proof },
  };
  await checkQuota(deps, quotaOf(userId), object.metadata.name);
  const { object: stored, isNew } = await forCaller(createOrFind(kube, identityType, object));
  if (isNew) await keepWithinQuota(deps, quotaOf(userId), stored);
  if (stored.spec.user === userId) return stored;
  throw new AppError(
    'Conflict',
    'this identity is linked to another account: sign in to that account with it, or unlink it there first',
  );
}

function quotaOf(userId: string): Quota<IdentityResource> {
  return {
    type: identityType,
    selection: { 'spec.user': userId },
    refuse: atMost(
      maxIdentities,
      (count) =>
        new AppError(
          'Forbidden',
          `${count} identities are linked to this account, the maximum is ${maxIdentities}: unlink one first`,
        ),
    ),
  };
}

/** Removes the identity of an account that does not come into being: unlike an unlinked one, it may be linked again. */
export async function dropIdentity(
  { kube, namespace }: IdentityDeps,
  userId: string,
  proof: Proof,
): Promise<void> {
  const found = await forCaller(kube.get(identityType, { namespace, name: identityNameOf(proof) }));
  if (found?.spec.user !== userId) return;
  await forCaller(kube.delete(identityType, found.metadata, { uid: found.metadata.uid }));
}

/** Unlinks an identity of a user. False if there is none. */
export async function unlinkIdentity(
  deps: IdentityDeps,
  { userId, name }: { userId: string; name: string },
): Promise<boolean> {
  const { kube, namespace } = deps;
  const found = await forCaller(kube.get(identityType, { namespace, name })).catch((error: unknown) => {
    if (isAppError(error, 'BadRequest')) return undefined;
    throw error;
  });
  if (found?.spec.user !== userId) return false;
  await noteUnlinked(deps, { userId, name });
  return forCaller(kube.delete(identityType, found.metadata, { uid: found.metadata.uid }));
}

/** Whether a user has unlinked an identity: then its e-mail address does not link it again. */
export function hasUnlinked(user: UserResource, proof: Proof): boolean {
  return unlinkedBy(user).includes(identityNameOf(proof));
}

async function noteUnlinked(
  { kube, namespace }: IdentityDeps,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  const absent = () => new AppError('NotFound', 'the account is gone');
  await updateLive(kube, { type: userType, namespace, name: userId, absent }, (current) => {
    const { metadata } = current;
    const names = [...unlinkedBy(current).filter((one) => one !== name), name].slice(-maxUnlinked);
    const own = { ...metadata.annotations, [annotations.unlinked]: names.join(' ') };
    return { ...current, metadata: { ...metadata, annotations: own } };
  });
}

function unlinkedBy({ metadata }: UserResource): string[] {
  return metadata.annotations?.[annotations.unlinked]?.split(' ') ?? [];
}

/** The Identity of REST. */
export function toIdentity(
  { metadata, spec }: Stored<IdentityResource>,
  providers: IdentityDeps['providers'],
): Identity {
  const { user, oidc, wallet } = spec;
  const provider = oidc && providers.find(({ settings }) => settings.issuer === oidc.issuer)?.settings.name;
  return {
    kind: 'Identity',
    version: 'v1alpha1',
    id: metadata.name,
    userID: user,
    type: oidc ? 'oidc' : 'wallet',
    ...compact({ issuer: oidc?.issuer, provider, email: oidc?.email, address: wallet?.address }),
    createdAt: metadata.creationTimestamp,
  };
}

/** The name of the object with an identity: none is linked twice. */
function identityNameOf({ oidc, wallet }: Proof): string {
  if (oidc) return oidcIdentityName(oidc.issuer, oidc.subject);
  if (wallet) return walletIdentityName(wallet.address);
  throw new AppError('Internal', 'an identity without a proof');
}
