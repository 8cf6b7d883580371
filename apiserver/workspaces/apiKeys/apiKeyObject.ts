import { formatToken, hashOfSecret, newSecret } from '../../../core/accounts/credentials.ts';
import { newId, type RandomBytes } from '../../../core/accounts/ids.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import type { ApiKeyResource, MembershipResource } from '../../../core/api/resources/accountResources.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import { apiKeyType } from '../../../core/api/resources/resources.ts';
import type { ApiKeyInput, NewApiKey } from '../../../core/api/rest/access.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { createOnce } from '../../store/createOnce.ts';
import { notFound } from '../../store/find.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import type { Directory } from '../directory/directory.ts';
import type { Standing } from '../directory/principals.ts';
import { toApiKey } from '../mapping.ts';
import { keepWithinQuota, type Quota } from '../quota.ts';

interface NewKey extends Omit<ApiKeyInput, 'permissions'> {
  permissions?: readonly string[] | undefined;
  /** The membership that the key depends on; defaults to the one of its workspace. */
  founder?: Stored<MembershipResource>;
  /** That the key must stay within; absent for the first key of an account. */
  quota?: Quota<ApiKeyResource>;
  /** The machine that asked for it. */
  device?: string | undefined;
  random: RandomBytes;
  mark: string | undefined;
}

/** Creates a key of a member. Only the answer contains the secret. */
export async function insertApiKey(
  { kube, directory, namespace, pepper }: WorkspaceDeps,
  standing: Standing,
  { name, role, permissions, expiresAt, ...rest }: NewKey,
): Promise<NewApiKey> {
  const { device, quota, random, mark, founder = await currentMembership(directory, standing) } = rest;
  const { workspace, user } = standing.membership.spec;
  const id = newId('apiKey', random);
  const secret = newSecret('apiKey', random);
  const object: ApiKeyResource = {
    apiVersion,
    kind: 'ApiKey',
    metadata: {
      name: id,
      namespace,
      labels: { [labels.workspace]: workspace, [labels.user]: user },
      ownerReferences: [ownerReferenceTo(founder)],
    },
    spec: {
      workspace,
      user,
      name,
      role,
      ...compact({ permissions: permissions && [...permissions] }),
      ...compact({ expiresAt, device }),
      secretHash: hashOfSecret(pepper, 'apiKey', secret).toString('hex'),
    },
  };
  const created = await createOnce(kube, { type: apiKeyType, object, mark });
  if (quota) await keepWithinQuota({ kube, namespace }, quota, created);
  return { ...toApiKey(created, standing), secret, token: formatToken(id, secret) };
}

/** Removes a key that was not given out. */
export async function discardApiKey({ kube, namespace }: WorkspaceDeps, id: string): Promise<void> {
  await forCaller(kube.delete(apiKeyType, { namespace, name: id }));
}

/** A key that depends on a membership that was replaced meanwhile would never work. */
async function currentMembership(
  { memberships }: Directory,
  { membership }: Standing,
): Promise<Stored<MembershipResource>> {
  const current = await memberships.findLive(membership.metadata.name);
  if (!current) throw notFound('Workspace');
  return current;
}
