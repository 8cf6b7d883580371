import { membershipType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { AppError } from '../../core/lib/errors.ts';
import { type AccountsApi, type Person, startAccountsApi } from '../testing/accountsApi.ts';

let world: AccountsApi;
let owner: Person;
let team: string;
beforeEach(async () => {
  world = await startAccountsApi();
  owner = await world.join('owner@example.com', 'developer');
  team = (await world.post(owner.token, '/workspaces', { name: 'team' })).id;
});
afterEach(() => world.api.close());

const invitation = { email: 'dev@example.com', role: 'developer' };
const join = (email: string, role: string) => world.join(email, role, { workspace: team, by: owner.token });
const path = ({ userId }: Person) => `/workspaces/${team}/memberships/${userId}`;
const setRole = (by: Person, whom: Person, role: string) =>
  world.ask(by.token, path(whom), { method: 'PUT', body: { role } });
const remove = (by: Person, whom: Person) => world.ask(by.token, path(whom), { method: 'DELETE' });
const roleIn = async (person: Person) => {
  const { json } = await world.ask(person.token, '/me', { headers: { 'X-Workspace-ID': team } });
  return json.role;
};

test('changing a role affects the keys of the member immediately', async () => {
  const dev = await join('dev@example.com', 'developer');
  const key = await world.post(dev.token, `/workspaces/${team}/api-keys`, { name: 'ci', role: 'developer' });
  const changed = await setRole(owner, dev, 'viewer');
  expect(changed.json).toMatchObject({ kind: 'Membership', userID: dev.userId, role: 'viewer' });
  const { role, permissions } = await world.get(key.token, '/me');
  expect([role, permissions.includes('networks:write')]).toEqual(['viewer', false]);
});

test('a removed member loses every key created there immediately, even if invited again', async () => {
  const dev = await world.join('dev@example.com', 'developer');
  const first = await world.post(owner.token, `/workspaces/${team}/invitations`, invitation);
  await world.post(dev.token, '/invitations/accept', { token: first.token });
  const key = await world.post(dev.token, `/workspaces/${team}/api-keys`, { name: 'ci', role: 'developer' });
  expect((await remove(owner, dev)).status).toBe(204);
  expect((await world.ask(key.token, '/me')).status).toBe(401);
  expect((await world.ask(dev.token, `/workspaces/${team}`)).status).toBe(404);
  expect((await remove(owner, dev)).status).toBe(404);

  const again = await world.post(owner.token, `/workspaces/${team}/invitations`, invitation);
  await world.post(dev.token, '/invitations/accept', { token: again.token });
  expect((await world.ask(dev.token, `/workspaces/${team}`)).status).toBe(200);
  expect((await world.ask(key.token, '/me')).status).toBe(401);
});

test('a user removed from the first workspace keeps the account and can rejoin', async () => {
  const dev = await join('dev@example.com', 'developer');
  await remove(owner, dev);
  const { status, json } = await world.ask(dev.token, '/v1alpha/networks');
  expect([status, json.message]).toEqual([
    404,
    expect.stringContaining(`name another one in X-Workspace-ID, such as your own, ${dev.personal}`),
  ]);
  const headers = { 'X-Workspace-ID': dev.personal };
  expect((await world.ask(dev.token, '/v1alpha/networks', { headers })).status).toBe(200);
  const again = await world.post(owner.token, `/workspaces/${team}/invitations`, invitation);
  const accepted = await world.ask(dev.token, '/invitations/accept', {
    headers,
    body: { token: again.token },
  });
  expect(accepted.json).toMatchObject({ userID: dev.userId, workspaceID: team });
  expect((await world.ask(dev.token, '/v1alpha/networks')).status).toBe(200);
});

test('the last owner can be neither removed nor demoted', async () => {
  const boss = await join('boss@example.com', 'admin');
  for (const answer of [await remove(owner, owner), await setRole(owner, owner, 'admin')]) {
    expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining('last owner')]);
  }
  expect((await setRole(owner, boss, 'owner')).json.role).toBe('owner');
  expect((await setRole(owner, owner, 'viewer')).json.role).toBe('viewer');
  expect(await roleIn(boss)).toBe('owner');
  expect((await remove(boss, boss)).status).toBe(409);
});

test('if two owners leave concurrently, one remains', async () => {
  const other = await join('other@example.com', 'owner');
  const answers = await Promise.all([remove(owner, owner), remove(other, other)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  const workspace = await world.kube.get(workspaceType, { namespace: 'slipway-system', name: team });
  expect(workspace?.spec.owners).toHaveLength(1);
});

test('an owner whose promotion was interrupted is an admin until it is repeated', async () => {
  const boss = await join('boss@example.com', 'developer');
  const error = new AppError('Unavailable', 'cut');
  world.kube.failNext({ verb: 'replace', kind: 'Workspace', error });
  expect((await setRole(owner, boss, 'owner')).status).toBe(503);
  expect(await roleIn(boss)).toBe('admin');
  expect((await setRole(owner, boss, 'owner')).json.role).toBe('owner');
  expect(await roleIn(boss)).toBe('owner');
});

describe('a workspace that has as many owners as it can have', () => {
  const fill = (count: number) =>
    world.kube.patch(workspaceType, place, {
      spec: { owners: [owner.userId, ...Array.from({ length: count - 1 }, (_, n) => `u${n}`)] },
    });
  let place: { namespace: string; name: string };
  beforeEach(() => {
    place = { namespace: 'slipway-system', name: team };
  });

  it('refuses one more, who keeps the former role', async () => {
    const dev = await join('dev@example.com', 'developer');
    await fill(100);
    const { status, json } = await setRole(owner, dev, 'owner');
    expect([status, json.message]).toEqual([409, expect.stringContaining('at most 100 owners')]);
    expect(await roleIn(dev)).toBe('developer');
    const name = `${team}.${dev.userId}`;
    expect((await world.kube.get(membershipType, { ...place, name }))?.spec.role).toBe('developer');
  });

  it('leaves an invitation as owner pending, and whoever tried to accept it outside', async () => {
    const dev = await world.join('dev@example.com', 'developer');
    const body = { ...invitation, role: 'owner' };
    const { id, token } = await world.post(owner.token, `/workspaces/${team}/invitations`, body);
    await fill(100);
    const accept = () => world.ask(dev.token, '/invitations/accept', { body: { token } });
    expect((await accept()).status).toBe(409);
    expect((await world.ask(dev.token, `/workspaces/${team}`)).status).toBe(404);
    const { items } = await world.get(owner.token, `/workspaces/${team}/invitations`);
    expect(items).toContainEqual(expect.objectContaining({ id, state: 'Pending' }));
    await fill(99);
    expect((await accept()).json).toMatchObject({ userID: dev.userId, role: 'owner' });
  });

  it('lets one of two in who accept the last place at the same moment, and leaves the other outside', async () => {
    const people = [
      await world.join('a@example.com', 'developer'),
      await world.join('b@example.com', 'developer'),
    ];
    const body = { ...invitation, role: 'owner' };
    const accepts = await Promise.all(
      people.map(async (person) => {
        const { token } = await world.post(owner.token, `/workspaces/${team}/invitations`, body);
        return () => world.ask(person.token, '/invitations/accept', { body: { token } });
      }),
    );
    await fill(99);
    const statuses = (await Promise.all(accepts.map((accept) => accept()))).map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 409]);
    const seen = await Promise.all(people.map(({ token }) => world.ask(token, `/workspaces/${team}`)));
    expect(seen.map(({ status }) => status)).toEqual(statuses.map((status) => (status === 200 ? 200 : 404)));
    const { items } = await world.get(owner.token, `/workspaces/${team}/invitations`);
    const states = items.map(({ state }: { state: string }) => state);
    expect(states.sort()).toEqual(['Accepted', 'Pending']);
  });

  it('creates no account for one more', async () => {
    const body = { ...invitation, role: 'owner' };
    const { token } = await world.post(owner.token, `/workspaces/${team}/invitations`, body);
    await fill(100);
    const before = (await world.kube.list(userType)).items.length;
    expect((await world.ask(null, '/invitations/accept', { body: { token } })).status).toBe(409);
    expect((await world.kube.list(userType)).items).toHaveLength(before);
  });

  it('accepts again who is an owner already', async () => {
    await fill(100);
    expect((await setRole(owner, owner, 'owner')).json.role).toBe('owner');
  });
});

describe('an admin', () => {
  test.each<[string, number, (admin: Person, dev: Person) => Promise<{ status: number }>]>([
    ['can change the role of a member', 200, (admin, dev) => setRole(admin, dev, 'admin')],
    ['can remove a member', 204, (admin, dev) => remove(admin, dev)],
    ['cannot make a member an owner', 403, (admin, dev) => setRole(admin, dev, 'owner')],
    ['cannot become an owner', 403, (admin) => setRole(admin, admin, 'owner')],
    ['cannot change an owner', 403, (admin) => setRole(admin, owner, 'viewer')],
    ['cannot remove an owner', 403, (admin) => remove(admin, owner)],
  ])('%s', async (_what, status, act) => {
    const admin = await join('admin@example.com', 'admin');
    const dev = await join('dev@example.com', 'developer');
    expect((await act(admin, dev)).status).toBe(status);
  });
});

test('the administrator of the installation must stay an owner of the default workspace', async () => {
  const second = await world.join('second@example.com', 'owner');
  const fixed = '/workspaces/default/memberships/admin';
  expect((await world.ask(second.token, fixed, { method: 'DELETE' })).status).toBe(409);
  const put = await world.ask(second.token, fixed, { method: 'PUT', body: { role: 'viewer' } });
  expect(put.status).toBe(409);
});

test('a membership of an earlier workspace with the same name does not count', async () => {
  const stray = { namespace: 'slipway-system', name: `${team}.${owner.userId}` };
  const membership = await world.kube.get(membershipType, stray);
  await world.kube.delete(membershipType, stray);
  const owners = [{ apiVersion: 'slipway.dev/v1alpha1', kind: 'Workspace', name: team, uid: 'another' }];
  const metadata = { ...stray, ownerReferences: owners };
  await world.kube.create(membershipType, { ...membership!, metadata });
  expect((await world.ask(owner.token, `/workspaces/${team}`)).status).toBe(404);
});
