import {
  idempotencyRecordType,
  invitationType,
  membershipType,
  userType,
} from '../../../core/api/resources/resources.ts';
import { compact } from '../../../core/lib/compact.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { type AccountsApi, admin, startAccountsApi } from '../../testing/accountsApi.ts';
import { anInvitation } from './testing/anInvitation.ts';
import { invitationsOf, list } from './testing/invitations.ts';

const day = 24 * 3600 * 1000;
const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
});
afterEach(() => world.api.close());

const { invite, accept, revoke, stateOf } = invitationsOf(() => world);

test('the token is only in the answer; the cluster stores its hash', async () => {
  const { token, ...made } = await invite('Ada@Example.com');
  expect(made).toMatchObject({
    kind: 'Invitation',
    workspaceID: 'default',
    email: 'Ada@Example.com',
    role: 'developer',
    state: 'Pending',
    invitedBy: 'admin',
    expiresAt: '2030-01-08T00:00:00Z',
  });
  expect((await world.get(admin, list)).items).toEqual([made]);
  const [, secret] = token.split('.');
  const stored = await world.kube.list(invitationType);
  expect(JSON.stringify(stored)).not.toContain(secret);
});

test('looking one up leaves no trace: it changes nothing', async () => {
  const { token } = await invite('ada@example.com');
  const before = world.api.audits.length;
  const headers = { 'Idempotency-Key': 'k1' };
  const found = await world.ask(null, '/invitations/look-up', { body: { token }, headers });
  expect([found.status, found.json.workspaceName]).toEqual([200, 'default']);
  expect((await world.kube.list(idempotencyRecordType)).items).toEqual([]);
  expect(world.api.audits.slice(before)).toEqual([]);
});

test('without an account, one is created with a key, once', async () => {
  const { id, token } = await invite('ada@example.com', 'viewer');
  const first = await accept(token);
  expect(first.status).toBe(200);
  expect(first.json).toMatchObject({
    kind: 'Membership',
    workspaceID: 'default',
    email: 'ada@example.com',
    role: 'viewer',
    apiKey: { kind: 'ApiKey', workspaceID: 'default', role: 'viewer', userID: first.json.userID },
  });
  expect(await world.get(first.json.apiKey.token, '/me')).toMatchObject({ user: { id: first.json.userID } });
  expect((await world.get(admin, list)).items).toMatchObject([
    { state: 'Accepted', acceptedBy: first.json.userID },
  ]);
  const second = await accept(token);
  expect([second.status, second.json.apiKey]).toEqual([409, undefined]);
  expect(await stateOf(id)).toBe('Accepted');
});

test('inviting an address that has an account does not give access to that account', async () => {
  const ada = await world.join('ada@example.com', 'developer');
  const eve = await world.join('eve@example.com', 'developer');
  const { id } = await world.post(eve.token, '/workspaces', { name: 'trap' });
  const body = { email: 'ADA@example.com', role: 'owner' };
  const { token } = await world.post(eve.token, `/workspaces/${id}/invitations`, body);
  const other = await accept(token);
  expect(other.status).toBe(200);
  expect(other.json.userID).not.toBe(ada.userId);
  const headers = { 'X-Workspace-ID': ada.personal };
  expect((await world.ask(other.json.apiKey.token, '/me', { headers })).status).toBe(404);
  expect((await world.get(ada.token, '/me')).user.id).toBe(ada.userId);
});

test('claiming an address first neither blocks nor receives a later invitation to it', async () => {
  const eve = await world.join('eve@example.com', 'developer');
  const { id } = await world.post(eve.token, '/workspaces', { name: 'trap' });
  const claimed = await world.join('ada@example.com', 'developer', { workspace: id, by: eve.token });
  // Eve's account with Ada's address is a member of the default workspace as well.
  const second = await invite('mallory@example.com');
  expect((await accept(second.token, claimed.token)).status).toBe(200);

  const { token } = await invite('ada@example.com', 'admin');
  const ada = await accept(token);
  expect([ada.status, ada.json.role, ada.json.email]).toEqual([200, 'admin', 'ada@example.com']);
  expect(ada.json.userID).not.toBe(claimed.userId);
  expect((await world.get(claimed.token, '/me')).user.id).toBe(claimed.userId);
  const { items } = await world.get(admin, '/workspaces/default/memberships');
  const roles = items
    .filter(({ email }: { email?: string }) => email === 'ada@example.com')
    .map(({ userID, role }: { userID: string; role: string }) => [userID, role]);
  expect(new Map(roles)).toEqual(
    new Map([
      [claimed.userId, 'developer'],
      [ada.json.userID, 'admin'],
    ]),
  );
});

test('an address is shown as unverified, to its user and to other members', async () => {
  const { token } = await invite('ada@example.com');
  const { json } = await accept(token);
  expect(json).toMatchObject({ email: 'ada@example.com', emailVerified: false });
  expect((await world.get(json.apiKey.token, '/me')).user).toMatchObject({ emailVerified: false });
  const { items } = await world.get(admin, '/workspaces/default/memberships');
  expect(items).toMatchObject([{ userID: 'admin' }, { userID: json.userID, emailVerified: false }]);
  expect(items[0]).not.toHaveProperty('emailVerified');
});

test.each([
  ['was removed', (boss: string) => ({ path: boss, method: 'DELETE' })],
  ['has a lower role now', (boss: string) => ({ path: boss, method: 'PUT', body: { role: 'viewer' } })],
])('an invitation by a member who %s grants nothing', async (_what, change) => {
  const boss = await world.join('boss@example.com', 'admin');
  const { token } = await world.post(boss.token, list, { email: 'x@example.com', role: 'admin' });
  const { path, ...request } = change(`/workspaces/default/memberships/${boss.userId}`);
  expect((await world.ask(admin, path, request)).status).toBeLessThan(300);
  const refused = await accept(token);
  expect([refused.status, refused.json.message]).toEqual([409, expect.stringContaining('no longer grant')]);
});

test('a caller with credentials joins, whatever the address of the invitation', async () => {
  const ada = await world.join('ada@example.com', 'developer');
  const { id } = await world.post(admin, '/workspaces', { name: 'other' });
  const body = { email: 'ada.at.work@example.com', role: 'viewer' };
  const { token } = await world.post(admin, `/workspaces/${id}/invitations`, body);
  expect((await accept(token, ada.token)).json).toMatchObject({ userID: ada.userId, role: 'viewer' });
  const { items } = await world.get(ada.token, '/workspaces');
  expect(items.map((item: { id: string }) => item.id)).toContain(id);
});

test('an existing member gets an error, and the invitation stays', async () => {
  const ada = await world.join('ada@example.com', 'developer');
  const { id, token } = await invite('somebody@example.com');
  expect((await accept(token, ada.token)).status).toBe(409);
  expect(await stateOf(id)).toBe('Pending');
});

test('credentials in the request must be valid and sufficient', async () => {
  const { token } = await invite('new@example.com');
  expect((await accept(token, 'bootstrap.wrong')).status).toBe(401);
  const ada = await world.join('ada@example.com', 'viewer');
  const narrow = await accept(token, ada.token);
  expect([narrow.status, narrow.json.message]).toEqual([403, expect.stringContaining('account:write')]);
});

test.each([
  ['no token at all', () => 'nonsense'],
  ['an unknown id', (token: string) => `i${'0'.repeat(24)}.${token.split('.')[1]}`],
  ['a wrong secret', (token: string) => `${token.split('.')[0]}.${'x'.repeat(43)}`],
  ['an API key', () => admin],
])('%s is 404 with the same message', async (_reason, make) => {
  const { token } = await invite('ada@example.com');
  const { status, json } = await accept(make(token));
  expect([status, json.message]).toEqual([
    404,
    'no invitation has this token: check the token or ask for a new invitation',
  ]);
});

test('expires in 7 days or at the requested time', async () => {
  const week = await invite('a@example.com');
  const hour = await invite('b@example.com', 'viewer', { expiresAt: '2030-01-01T01:00:00+00:00' });
  clock.advance(2 * 3600 * 1000);
  expect([await stateOf(week.id), await stateOf(hour.id)]).toEqual(['Pending', 'Expired']);
  expect((await accept(hour.token)).json).toMatchObject({
    message: 'the invitation is expired: ask for a new one',
  });
  clock.advance(7 * day);
  expect((await accept(week.token)).status).toBe(409);
  const past = await world.ask(admin, list, {
    body: { email: 'c@example.com', role: 'viewer', expiresAt: '2029-01-01T00:00:00Z' },
  });
  expect([past.status, past.json.details[0].path]).toEqual([400, 'expiresAt']);
});

test('can be revoked unless it was accepted', async () => {
  const { id, token } = await invite('ada@example.com');
  expect((await revoke(id)).status).toBe(204);
  expect(await stateOf(id)).toBe('Revoked');
  expect((await accept(token)).json).toMatchObject({
    message: 'the invitation is revoked: ask for a new one',
  });
  expect((await revoke(id)).status).toBe(204);
  const used = await invite('ben@example.com');
  await accept(used.token);
  expect((await revoke(used.id)).status).toBe(409);
  expect((await revoke('unknown')).status).toBe(404);
});

describe('a workspace', () => {
  const body = { email: 'ada@example.com', role: 'viewer' };
  const seed = (count: number, state?: 'Revoked') => {
    for (let n = 0; n < count; n += 1)
      world.kube.seed(
        invitationType,
        anInvitation({ name: `${state ?? 'pending'}-${n}` }, compact({ state })),
      );
  };

  it('has at most 200 pending invitations, also when many are created at the same moment', async () => {
    seed(198);
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.ask(admin, list, { body })));
    const created = answers.filter(({ status }) => status === 201).length;
    expect((await world.kube.list(invitationType)).items).toHaveLength(198 + created);
    expect(created).toBeLessThanOrEqual(2);
    seed(200);
    const { status, json } = await world.ask(admin, list, { body });
    expect([status, json.message]).toEqual([400, expect.stringContaining('the maximum is 200: delete one')]);
  });

  it('has at most 1000 that are kept, so that revoking them does not bring new ones without end', async () => {
    seed(1000, 'Revoked');
    const { status, json } = await world.ask(admin, list, { body });
    expect([status, json.message]).toEqual([400, expect.stringContaining('deleted 30 days after')]);
  });
});

test('nobody can invite to a higher role than their own', async () => {
  const boss = await world.join('boss@example.com', 'admin');
  const asOwner = await world.ask(boss.token, list, { body: { email: 'x@example.com', role: 'owner' } });
  expect(asOwner.status).toBe(403);
  expect(
    (await world.ask(boss.token, list, { body: { email: 'x@example.com', role: 'admin' } })).status,
  ).toBe(201);
});

test('if two users accept the same token concurrently, one succeeds', async () => {
  const [ada, ben] = [
    await world.join('ada@example.com', 'developer'),
    await world.join('ben@example.com', 'developer'),
  ];
  const { id } = await world.post(admin, '/workspaces', { name: 'race' });
  const { token } = await world.post(admin, `/workspaces/${id}/invitations`, {
    email: 'x@example.com',
    role: 'viewer',
  });
  const answers = await Promise.all([accept(token, ada.token), accept(token, ben.token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await world.get(admin, `/workspaces/${id}/memberships`)).items).toHaveLength(2);
});

test('two invitations of one new address create an account each', async () => {
  const tokens = [(await invite('ada@example.com')).token, (await invite('ada@example.com')).token];
  const answers = await Promise.all(tokens.map((token) => accept(token)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { items } = await world.kube.list(userType);
  expect(items.filter(({ spec }) => spec.email === 'ada@example.com')).toHaveLength(2);
});

test('a removed user cannot rejoin with the same token', async () => {
  const { token } = await invite('ada@example.com');
  const { userID } = (await accept(token)).json;
  await world.ask(admin, `/workspaces/default/memberships/${userID}`, { method: 'DELETE' });
  expect((await accept(token)).status).toBe(409);
  const membership = await world.kube.get(membershipType, {
    namespace: 'slipway-system',
    name: `default.${userID}`,
  });
  expect(membership).toBeUndefined();
});
