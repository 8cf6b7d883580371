import { isId, newId } from '../../../core/accounts/ids.ts';
import { isAtLeast, roleIn } from '../../../core/accounts/roles.ts';
import { adminUserId } from '../../../core/api/names.ts';
import type { ApiKeyResource, MembershipResource } from '../../../core/api/resources/accountResources.ts';
import { apiKeyType, membershipType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { notFound } from '../../store/find.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { WorkspaceApiDeps, WorkspaceDeps } from '../deps.ts';
import { type Standing, standingOf } from '../directory/principals.ts';
import { checkGrant } from '../grants.ts';
import { accountPage, listLive } from '../list.ts';
import { toApiKey } from '../mapping.ts';
import { checkQuota } from '../quota.ts';
import { insertApiKey } from './apiKeyObject.ts';
import { checkExpiry } from './expiry.ts';
import { founderOf } from './keySource.ts';
import { requireOtherWay } from './otherWay.ts';
import { keyQuotaOf } from './quota.ts';

/** API keys of a workspace, by id: the caller's keys, or all keys for administrators. */
export function listApiKeys(deps: WorkspaceDeps): Handler<'listApiKeys'> {
  return async ({ principal, params, query }) => {
    const workspace = await deps.directory.workspaces.find(params.id);
    if (!workspace) throw notFound('Workspace');
    const own = isAdministrator(principal) ? {} : { 'spec.user': principal.userId };
    const selection = { 'spec.workspace': params.id, ...own };
    const [keys, memberships] = await Promise.all([
      listLive(deps, apiKeyType, selection),
      listLive(deps, membershipType, selection),
    ]);
    const byUser = new Map(memberships.map((membership) => [membership.spec.user, membership]));
    const stored = keys.flatMap((key) => {
      const membership = byUser.get(key.spec.user);
      const isVisible = membership && mayManage(principal, key, membership);
      return isVisible ? [toApiKey(key, { workspace, membership })] : [];
    });
    const first = isBootstrapVisible(deps, principal) ? await deps.bootstrapKey.describe() : undefined;
    const items = [...stored, ...(first ? [first] : [])].sort((a, b) => (a.id < b.id ? -1 : 1));
    return accountPage(deps, {
      kind: 'ApiKeyList',
      endpoint: 'listApiKeys',
      principal,
      query,
      items,
      keyOf: ({ id }) => id,
      toRest: (key) => key,
    });
  };
}

/** Creates a key of the caller with no more permissions than the key in use. */
export function createApiKey(deps: WorkspaceApiDeps): Handler<'createApiKey'> {
  return async ({ principal, params, body, random, idempotencyMark: mark }) => {
    const { role, permissions } = body;
    checkGrant(principal, { role, permissions, act: `create a key with the role ${role}` });
    checkExpiry(deps.clock, body);
    await deps.signIn?.refuseEnded(principal);
    const standing = await standingOf(deps.directory, params.id, principal.userId);
    if (!standing) throw notFound('Workspace');
    const quota = keyQuotaOf(deps, principal.userId);
    await checkQuota(deps, quota, newId('apiKey', random));
    const key = await insertApiKey(deps, standing, { ...body, quota, random, mark });
    return {
      body: key,
      location: `/v1alpha1/workspaces/${params.id}/api-keys/${key.id}`,
      objects: [describeKey(key.id, principal.userId)],
    };
  };
}

/** Revokes a key, effective immediately. */
export function deleteApiKey(deps: WorkspaceApiDeps): Handler<'deleteApiKey'> {
  const { kube, directory, bootstrapKey } = deps;
  return async ({ principal, params }) => {
    if (params.keyId === bootstrapKey.keyId) return revokeBootstrapKey(deps, principal);
    const key = isId('apiKey', params.keyId) ? await directory.apiKeys.find(params.keyId) : undefined;
    if (!key || key.spec.workspace !== params.id) throw unknownKey();
    const standing = await standingOf(directory, params.id, key.spec.user);
    // The keys of other users are only visible to administrators.
    if (!standing || !mayManage(principal, key, standing.membership)) throw unknownKey();
    checkMayRevoke(principal, key, standing);
    const wasThere = await forCaller(kube.delete(apiKeyType, key.metadata, { uid: key.metadata.uid }));
    if (!wasThere) throw unknownKey();
    return { body: undefined, objects: [describeKey(key.metadata.name, key.spec.user)] };
  };
}

/** Revokes the first key of the installation, which belongs to the default workspace. */
async function revokeBootstrapKey(deps: WorkspaceApiDeps, principal: Principal) {
  const { bootstrapKey } = deps;
  const isVisible = isBootstrapVisible(deps, principal) && (await bootstrapKey.describe());
  if (!isVisible) throw unknownKey();
  if (principal.role !== 'owner') throw ownersOnly();
  await requireOtherWay(deps);
  if (!(await bootstrapKey.revoke())) throw unknownKey();
  return { body: undefined, objects: [describeKey(bootstrapKey.keyId, adminUserId)] };
}

function isBootstrapVisible({ defaultWorkspace }: WorkspaceDeps, principal: Principal): boolean {
  return principal.workspaceId === defaultWorkspace.id && isAdministrator(principal);
}

/** Users manage their own keys; administrators manage keys created in this workspace, not an account's first key. */
function mayManage(
  principal: Principal,
  key: Stored<ApiKeyResource>,
  membership: Stored<MembershipResource>,
): boolean {
  const founder = founderOf(key);
  const isCreatedHere = founder?.uid === membership.metadata.uid;
  if (key.spec.user === principal.userId) return isCreatedHere || founder?.workspaceId !== key.spec.workspace;
  return isCreatedHere && isAdministrator(principal);
}

/** As with memberships, only owners act on owners. */
function checkMayRevoke(principal: Principal, key: Stored<ApiKeyResource>, standing: Standing): void {
  const isOfOwner = roleIn(standing.workspace, standing.membership) === 'owner';
  if (!isOfOwner || principal.role === 'owner' || key.spec.user === principal.userId) return;
  throw ownersOnly();
}

function ownersOnly(): AppError {
  return new AppError('Forbidden', "only an owner of the workspace can revoke an owner's API key");
}

function isAdministrator({ role }: Principal): boolean {
  return isAtLeast(role, 'admin');
}

function unknownKey(): AppError {
  return new AppError('NotFound', 'API key not found: check the id');
}

function describeKey(id: string, userId: string): string {
  return `API key ${id} of ${userId}`;
}
