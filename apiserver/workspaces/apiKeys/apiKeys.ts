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
import { insertApiKey } from './apiKeyObject.ts';
import { founderOf } from './keySource.ts';

const maxKeys = 100;

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

/** Creates a key of the caller with no more permissions than the key in use. */
export function createApiKey(deps: WorkspaceDeps): Handler<'createApiKey'> {
  return async ({ principal, params, body, random, idempotencyMark: mark }) => {
    checkPermissions(principal, body);
    checkExpiry(deps, body);
    const standing = await standingOf(deps.directory, params.id, principal.userId);
    if (!standing) throw notFound('Workspace');
    await checkCount(deps, principal);
    const key = await insertApiKey(deps, standing, { ...body, random, mark });
    return {
      body: key,
      location: `/v1alpha1/workspaces/${params.id}/api-keys/${key.id}`,
      objects: [describeKey(key.id, principal.userId)],
    };
  };
}

/** Revokes a key, effective immediately. */
export function deleteApiKey({ kube, directory }: WorkspaceDeps): Handler<'deleteApiKey'> {
  return async ({ principal, params }) => {
    const key = isId('apiKey', params.keyId) ? await directory.apiKeys.find(params.keyId) : undefined;
    if (!key || key.spec.workspace !== params.id) throw unknownKey();
    const standing = await standingOf(directory, params.id, key.spec.user);
    // The keys of other users are only visible to administrators.
    if (!standing || !mayManage(principal, key, standing.membership)) throw unknownKey();
    const wasThere = await forCaller(kube.delete(apiKeyType, key.metadata, { uid: key.metadata.uid }));
    directory.apiKeys.forget(key);
    if (!wasThere) throw unknownKey();
    return { body: undefined, objects: [describeKey(key.metadata.name, key.spec.user)] };
  };
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

function isAdministrator({ role }: Principal): boolean {
  return isAtLeast(role, 'admin');
}

/** Throws Forbidden naming what the key in use lacks. */
function checkPermissions(principal: Principal, { role, permissions }: ApiKeyInput): void {
  if (!isAtLeast(principal.role, role)) {
    throw new AppError(
      'Forbidden',
      `the API key has the role ${principal.role} in this workspace and cannot create a key with the role ${role}`,
    );
  }
  const missing = [...permissionsOf(role, permissions)].filter((one) => !principal.permissions.has(one));
  if (missing.length === 0) return;
  throw new AppError(
    'Forbidden',
    `the API key cannot create a key with permissions that it lacks: ${missing.join(', ')}`,
  );
}

function checkExpiry({ clock }: WorkspaceDeps, { expiresAt }: ApiKeyInput): void {
  if (expiresAt === undefined || (parseRfc3339(expiresAt) ?? 0) > clock.nowMs()) return;
  const message = 'is in the past: use a time in the future';
  throw new AppError('BadRequest', `expiresAt ${message}`, { details: [{ path: 'expiresAt', message }] });
}

async function checkCount(deps: WorkspaceDeps, { workspaceId, userId }: Principal): Promise<void> {
  const keys = await listLive(deps, apiKeyType, { 'spec.workspace': workspaceId, 'spec.user': userId });
  if (keys.length < maxKeys) return;
  throw new AppError(
    'BadRequest',
    `you have ${keys.length} API keys in this workspace, the maximum is ${maxKeys}: delete one first`,
  );
}

function unknownKey(): AppError {
  return new AppError('NotFound', 'API key not found: check the id');
}

function describeKey(id: string, userId: string): string {
  return `API key ${id} of ${userId}`;
}
