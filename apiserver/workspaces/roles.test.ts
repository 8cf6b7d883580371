import {
  type Permission,
  publicAccess,
  type Role,
  rolePermissions,
  roles,
} from '../../core/api/access/permissions.ts';
import { featureOperations } from '../../core/api/features.ts';
import { type OperationId, operationIds, operationOf } from '../../core/api/operations/operations.ts';
import { type AccountsApi, admin, type Person, startAccountsApi } from '../testing/accountsApi.ts';

let world: AccountsApi;
const people = {} as Record<Role, Person>;
beforeAll(async () => {
  world = await startAccountsApi();
  for (const role of roles) people[role] = await world.join(`${role}@example.com`, role);
});
afterAll(() => world.api.close());

const guarded = operationIds.filter((id) => operationOf(id).permission !== publicAccess);
const matrix = guarded.flatMap((id) => roles.map((role) => ({ id, role, isAllowed: isAllowed(id, role) })));

function isAllowed(id: OperationId, role: Role): boolean {
  const granted: readonly Permission[] = rolePermissions[role];
  return granted.some((permission) => permission === operationOf(id).permission);
}

/** The path for the workspace of the users; all other parameters and the bodies refer to nothing. No stream is followed. */
function pathOf(id: OperationId): string {
  const { path, workspaceParam, api, success } = operationOf(id);
  const prefix = api === 'secret' ? '/network' : `/${api}`;
  const search = success.contentType === 'text/event-stream' ? '?follow=false' : '';
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => (name === workspaceParam ? 'default' : 'none'));
  return `${prefix}${filled}${search}`;
}

test.each(matrix)('$role, $id: allowed $isAllowed', async ({ id, role, isAllowed }) => {
  const { method, permission, body } = operationOf(id);
  // DELETE of the workspace itself is refused because it is the default one.
  const { status, json } = await world.api.request(pathOf(id), {
    as: null,
    method,
    headers: { Authorization: `Bearer ${people[role].token}` },
    ...(body ? { body: {} } : {}),
  });
  expect(status).not.toBe(401);
  if (isAllowed) expect(status).not.toBe(403);
  if (!isAllowed) expect([status, json.message]).toEqual([403, expect.stringContaining(permission)]);
});

test('the table covers every guarded operation and every role', () => {
  expect(matrix).toHaveLength(guarded.length * 4);
  const open = operationIds.filter((id) => !guarded.includes(id) && !(id in featureOperations));
  expect(open.sort()).toEqual(['acceptInvitation', 'getTransactionHealth', 'lookUpInvitation']);
});

test('GET /permissions returns the matrix', async () => {
  const body = await world.get(admin, '/permissions');
  expect(body).toMatchObject({ kind: 'PermissionSet', version: 'v1alpha1', roles: rolePermissions });
  const used = guarded.map((id) => String(operationOf(id).permission));
  expect(Object.keys(body.permissions)).toEqual(expect.arrayContaining(used));
});

test('refused requests are audited as well', async () => {
  world.api.audits.length = 0;
  await world.ask(people.viewer.token, '/v1alpha/networks', { body: {} });
  expect(world.api.audits).toMatchObject([{ operation: 'createNetwork', outcome: 'Forbidden' }]);
});
