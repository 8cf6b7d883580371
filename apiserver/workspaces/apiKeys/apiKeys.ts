import { isId } from '../../../core/accounts/ids.ts';
import { isAtLeast, permissionsOf } from '../../../core/accounts/roles.ts';
import type { ApiKeyResource, MembershipResource } from '../../../core/api/resources/accountResources.ts';
import { apiKeyType, membershipType } from '../../../core/api/resources/resources.ts';
import type { ApiKeyInput } from '../../../core/api/rest/access.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Principal } from '../../http/auth/principal.ts';
import { listPage } from '../../http/paging/list.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { notFound } from '../../store/find.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { standingOf } from '../directory/principals.ts';
import { listLive } from '../list.ts';
import { toApiKey } from '../mapping.ts';
import { makeApiKey } from './apiKeyObject.ts';
import { founderOf } from './keySource.ts';

const maxKeys = 100;

/** API keys of a workspace, by id: the caller's, or everybody's for those who administer it. */
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
    const items = keys.flatMap((key) => {
      const membership = byUser.get(key.spec.user);
      return membership && mayManage(principal, key, membership) ? [{ key, membership }] : [];
    });
    const { json } = listPage(
      {
        kind: 'ApiKeyList',
        version: 'v1alpha1',
        endpoint: 'listApiKeys',
        principal,
        query,
        selectable: [],
        itemsFor: () => items,
        keyOf: ({ key }) => key.metadata.name,
        readField: () => undefined,
        toJson: ({ key, membership }) => JSON.stringify(toApiKey(key, { workspace, membership })),
      },
      deps.cursors,
    );
    return { json };
  };
}

/** Makes a key of the caller's, no wider than the one in use. */
export function createApiKey(deps: WorkspaceDeps): Handler<'createApiKey'> {
  return async ({ principal, params, body, random, idempotencyMark: mark }) => {
    checkWidth(principal, body);
    checkExpiry(deps, body);
    const standing = await standingOf(deps.directory, params.id, principal.userId);
    if (!standing) throw notFound('Workspace');
    await checkCount(deps, principal);
    const key = await makeApiKey(deps, standing, { ...body, random, mark });
    return {
      body: key,
      location: `/v1alpha1/workspaces/${params.id}/api-keys/${key.id}`,
      objects: [describeKey(key.id, principal.userId)],
    };
  };
}

/** Revokes a key: it is good for nothing from this answer on. */
export function deleteApiKey({ kube, directory }: WorkspaceDeps): Handler<'deleteApiKey'> {
  return async ({ principal, params }) => {
    const key = isId('apiKey', params.keyId) ? await directory.apiKeys.find(params.keyId) : undefined;
    if (!key || key.spec.workspace !== params.id) throw unknownKey();
    const standing = await standingOf(directory, params.id, key.spec.user);
    // Others' keys are not even seen by those who do not administer the workspace.
    if (!standing || !mayManage(principal, key, standing.membership)) throw unknownKey();
    const wasThere = await forCaller(kube.delete(apiKeyType, key.metadata, { uid: key.metadata.uid }));
    directory.apiKeys.forget(key);
    if (!wasThere) throw unknownKey();
    return { body: undefined, objects: [describeKey(key.metadata.name, key.spec.user)] };
  };
}

/** One's own keys, and as an administrator those made in this workspace: the first key of an account is its user's. */
function mayManage(
  principal: Principal,
  key: Stored<ApiKeyResource>,
  membership: Stored<MembershipResource>,
): boolean {
  const founder = founderOf(key);
  const isFromHere = founder?.uid === membership.metadata.uid;
  if (key.spec.user === principal.userId) return isFromHere || founder?.workspaceId !== key.spec.workspace;
  return isFromHere && isAdministrator(principal);
}

function isAdministrator({ role }: Principal): boolean {
  return isAtLeast(role, 'admin');
}

/** Throws Forbidden naming what the key in use lacks. */
function checkWidth(principal: Principal, { role, permissions }: ApiKeyInput): void {
  if (!isAtLeast(principal.role, role)) {
    throw new AppError(
      'Forbidden',
      `this API key is ${principal.role} here, and cannot make one that is ${role}`,
    );
  }
  const missing = [...permissionsOf(role, permissions)].filter((one) => !principal.permissions.has(one));
  if (missing.length === 0) return;
  throw new AppError(
    'Forbidden',
    `this API key cannot make one with permissions that it lacks: ${missing.join(', ')}`,
  );
}

function checkExpiry({ clock }: WorkspaceDeps, { expiresAt }: ApiKeyInput): void {
  if (expiresAt === undefined || (parseRfc3339(expiresAt) ?? 0) > clock.nowMs()) return;
  const message = 'is in the past';
  throw new AppError('BadRequest', `expiresAt ${message}`, { details: [{ path: 'expiresAt', message }] });
}

async function checkCount(deps: WorkspaceDeps, { workspaceId, userId }: Principal): Promise<void> {
  const keys = await listLive(deps, apiKeyType, { 'spec.workspace': workspaceId, 'spec.user': userId });
  if (keys.length < maxKeys) return;
  throw new AppError(
    'BadRequest',
    `you have ${keys.length} API keys in this workspace; the most is ${maxKeys}`,
  );
}

function unknownKey(): AppError {
  return new AppError('NotFound', 'there is no API key with this id');
}

function describeKey(id: string, userId: string): string {
  return `API key ${id} of ${userId}`;
}
