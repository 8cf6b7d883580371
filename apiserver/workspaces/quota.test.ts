import { newUser } from '../../core/accounts/objects.ts';
import { apiKeyType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { type AccountsApi, admin, type Person, startAccountsApi } from '../testing/accountsApi.ts';

/** Accounts, workspaces and keys are bounded, also for a user who invites accounts of their own. */

const quota = { workspaces: 2, accounts: 8, accountsPerUser: 3, apiKeys: 4 };
const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
let eve: Person;
beforeEach(async () => {
  world = await startAccountsApi({ quota, clock });
  eve = await world.join('eve@example.com', 'developer');
});
afterEach(() => world.api.close());

const newWorkspace = (by: string, name = 'more') => world.ask(by, '/workspaces', { body: { name } });
const invite = async (by: string, workspace: string, role = 'owner') => {
  const body = { email: 'puppet@example.com', role };
  return (await world.post(by, `/workspaces/${workspace}/invitations`, body)).token as string;
};
const accept = (token: string) => world.ask(null, '/invitations/accept', { body: { token } });
const userCount = async () => (await world.kube.list(userType)).items.length;

test('accounts that a user brings in count for that user, however deep, and the invitation stays pending', async () => {
  const first = await world.join('a@example.com', 'owner', { workspace: eve.personal, by: eve.token });
  const second = await world.join('b@example.com', 'owner', { workspace: first.personal, by: first.token });
  const third = await world.join('c@example.com', 'owner', { workspace: second.personal, by: second.token });
  const before = await userCount();
  for (const { token, personal } of [eve, first, third]) {
    const refused = await accept(await invite(token, personal));
    expect([refused.status, refused.json.message]).toEqual([
      403,
      expect.stringContaining('the maximum is 3 (quota.accountsPerUser)'),
    ]);
  }
  expect(await userCount()).toBe(before);
  const { items } = await world.get(eve.token, `/workspaces/${eve.personal}/invitations`);
  expect(items).toMatchObject([{ state: expect.any(String) }, { state: expect.any(String) }]);
  expect(items.filter(({ state }: { state: string }) => state === 'Pending')).toHaveLength(1);
  // Members of the default workspace are let in by its administrators.
  expect((await accept(await invite(admin, 'default', 'viewer'))).status).toBe(200);
});

test('a caller with an account joins over the quota, because no account is created', async () => {
  for (const name of ['a', 'b', 'c']) {
    await world.join(`${name}@example.com`, 'viewer', { workspace: eve.personal, by: eve.token });
  }
  const ben = await world.join('ben@example.com', 'developer');
  const token = await invite(eve.token, eve.personal);
  expect((await world.ask(ben.token, '/invitations/accept', { body: { token } })).status).toBe(200);
});

test('the installation has a maximum of accounts', async () => {
  while ((await userCount()) < quota.accounts) await accept(await invite(admin, 'default', 'viewer'));
  const refused = await accept(await invite(admin, 'default', 'viewer'));
  expect([refused.status, refused.json.message]).toEqual([
    403,
    'the installation has 8 accounts, the maximum is 8 (quota.accounts): ask its administrator',
  ]);
});

test('an account that exists is not deleted over the quota by a repeated request', async () => {
  const token = await invite(admin, 'default', 'viewer');
  world.kube.failNext({ verb: 'create', kind: 'ApiKey', error: new AppError('Unavailable', 'cut') });
  expect((await accept(token)).status).toBe(503);
  for (let n = 0; n < quota.accounts; n += 1)
    world.kube.seed(userType, newUser({ namespace: 'slipway-system', id: `u${n}` }, {}));
  const { status, json } = await accept(token);
  expect(status).toBe(200);
  expect((await world.get(json.apiKey.token, '/me')).user.id).toBe(json.userID);
});

test('invitations that are accepted at the same moment do not exceed the quota', async () => {
  const tokens = [];
  for (let n = 0; n < 6; n++) tokens.push(await invite(eve.token, eve.personal));
  const before = await userCount();
  const answers = await Promise.all(tokens.map(accept));
  const accepted = answers.filter(({ status }) => status === 200).length;
  expect(accepted).toBeLessThanOrEqual(3);
  expect(new Set(answers.map(({ status }) => status))).toContain(403);
  expect((await userCount()) - before).toBe(accepted);
  const { items } = await world.kube.list(workspaceType);
  const owners = items.map(({ spec }) => spec.personalFor).filter((owner) => owner !== undefined);
  expect(owners).toHaveLength(accepted + 1);
});

test('workspaces count for who created them, also when somebody else owns them', async () => {
  const puppet = await world.join('p@example.com', 'owner', { workspace: eve.personal, by: eve.token });
  for (const name of ['one', 'two']) {
    const { id } = await world.post(eve.token, '/workspaces', { name });
    const token = await invite(eve.token, id);
    await world.post(puppet.token, '/invitations/accept', { token });
    const path = `/workspaces/${id}/memberships/${eve.userId}`;
    expect((await world.ask(eve.token, path, { method: 'DELETE' })).status).toBe(204);
  }
  expect((await newWorkspace(eve.token)).status).toBe(400);
  // Owning what others created is free.
  expect((await newWorkspace(puppet.token)).status).toBe(201);
});

test('workspaces and keys that are created at the same moment do not exceed the quota', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => newWorkspace(eve.token, `n${n}`)));
  expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(quota.workspaces);
  const { items } = await world.kube.list(workspaceType);
  expect(items.filter(({ spec }) => spec.createdBy === eve.userId).length).toBeLessThanOrEqual(2);

  const body = { name: 'k', role: 'viewer' };
  const path = `/workspaces/${eve.personal}/api-keys`;
  await Promise.all(Array.from({ length: 8 }, () => world.ask(eve.token, path, { body })));
  const keys = await world.kube.list(apiKeyType);
  expect(keys.items.filter(({ spec }) => spec.user === eve.userId).length).toBeLessThanOrEqual(4);
});

test('API keys count over all workspaces of a user', async () => {
  const { id } = await world.post(eve.token, '/workspaces', { name: 'other' });
  const body = { name: 'k', role: 'viewer' };
  const create = (workspace: string) => world.ask(eve.token, `/workspaces/${workspace}/api-keys`, { body });
  expect((await create(eve.personal)).status).toBe(201);
  expect((await create(id)).status).toBe(201);
  expect((await create('default')).status).toBe(201);
  const { status, json } = await create(id);
  expect([status, json.message]).toEqual([
    400,
    'you have 4 API keys in all workspaces, the maximum is 4 (quota.apiKeys): delete one first',
  ]);
});
