import { type Permission, type Role, rolePermissions, roles } from '../../core/api/access/permissions.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { type AccountsApi, admin, startAccountsApi } from '../testing/accountsApi.ts';

/** Nobody grants what they do not hold, and a key no more than the key holds. */

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeAll(async () => {
  world = await startAccountsApi({ clock });
});
// The look-ups of new accounts have a budget per second.
beforeEach(() => clock.advance(1000));
afterAll(() => world.api.close());

const operations = ['invitations:write', 'memberships:write', 'api-keys:write'] as const;
type Operation = (typeof operations)[number];

let serial = 0;
const address = () => {
  serial += 1;
  return `user${serial}@example.com`;
};

/** A key of a new member with the role, and that key narrowed to `permissions`. */
async function keyOf(role: Role, permissions?: readonly Permission[]): Promise<string> {
  const person = await world.join(address(), role);
  if (!permissions) return person.token;
  const body = { name: 'narrow', role, permissions };
  return (await world.post(person.token, '/workspaces/default/api-keys', body)).token;
}

/** Attempts to grant a role, with the status of the answer. */
const attempts: Record<Operation, (token: string, role: Role) => Promise<number>> = {
  async 'invitations:write'(token, role) {
    const body = { email: address(), role };
    return (await world.ask(token, '/workspaces/default/invitations', { body })).status;
  },
  async 'memberships:write'(token, role) {
    const { userId } = await world.join(address(), 'viewer');
    const path = `/workspaces/default/memberships/${userId}`;
    return (await world.ask(token, path, { method: 'PUT', body: { role } })).status;
  },
  async 'api-keys:write'(token, role) {
    const body = { name: 'granted', role };
    return (await world.ask(token, '/workspaces/default/api-keys', { body })).status;
  },
};

const rows = operations.flatMap((operation) =>
  (['owner', 'admin', 'developer'] as const).flatMap((holder) =>
    roles.map((granted) => ({ operation, holder, granted })),
  ),
);

test.each(rows)(
  '$operation: a key of role $holder grants $granted only if it holds all of it',
  async (row) => {
    const { operation, holder, granted } = row;
    const held: readonly Permission[] = rolePermissions[holder];
    const mayGrant = held.includes(operation) && rolePermissions[granted].every((one) => held.includes(one));
    const status = await attempts[operation](await keyOf(holder), granted);
    expect(status < 300).toBe(mayGrant);
    if (!mayGrant) expect(status).toBe(403);
  },
);

const narrowed = operations.flatMap((operation) => roles.map((granted) => ({ operation, granted })));

test.each(narrowed)(
  "$operation: an owner's key with that permission alone cannot grant $granted",
  async (row) => {
    const token = await keyOf('owner', [row.operation]);
    expect(await attempts[row.operation](token, row.granted)).toBe(403);
  },
);

test.each(operations)('%s: a narrowed key grants the roles that it holds completely', async (operation) => {
  const token = await keyOf('owner', [...rolePermissions.viewer, operation]);
  expect(await attempts[operation](token, 'viewer')).toBeLessThan(300);
  expect(await attempts[operation](token, 'developer')).toBe(403);
});

test('the refusal names what the key lacks', async () => {
  const token = await keyOf('owner', ['invitations:write', ...rolePermissions.admin]);
  const body = { email: address(), role: 'owner' };
  const { json } = await world.ask(token, '/workspaces/default/invitations', { body });
  expect(json.message).toBe(
    'the API key cannot invite somebody as owner, because it lacks workspaces:delete: use a key that has them',
  );
});

test("an administrator sees an owner's keys and cannot revoke them; another owner can", async () => {
  const owner = await world.join(address(), 'owner');
  const boss = await world.join(address(), 'admin');
  const path = '/workspaces/default/api-keys';
  const key = await world.post(owner.token, path, { name: 'k', role: 'owner' });
  const { items } = await world.get(boss.token, path);
  expect(items.map(({ id }: { id: string }) => id)).toContain(key.id);
  const refused = await world.ask(boss.token, `${path}/${key.id}`, { method: 'DELETE' });
  expect([refused.status, refused.json.message]).toEqual([
    403,
    "only an owner of the workspace can revoke an owner's API key",
  ]);
  expect((await world.ask(key.token, '/me')).status).toBe(200);
  expect((await world.ask(admin, `${path}/${key.id}`, { method: 'DELETE' })).status).toBe(204);
});
