import {
  type AccountsApi,
  admin,
  type Person,
  startAccountsApi,
} from '../../../apiserver/testing/accountsApi.ts';
import { auditChunkType } from '../api/chunk.ts';
import { createAppendRecords } from './chunks.ts';

let world: AccountsApi;
let owner: Person;
let team: string;
let path: string;
beforeEach(async () => {
  world = await startAccountsApi();
  owner = await world.join('owner@example.com', 'developer');
  team = (await world.post(owner.token, '/workspaces', { name: 'team' })).id;
  path = `/workspaces/${team}/audit`;
});
afterEach(() => world.api.close());

const invite = (email: string) =>
  world.post(owner.token, `/workspaces/${team}/invitations`, { email, role: 'viewer' });
const entries = async (query = '') => {
  await world.api.flushRecords();
  return (await world.get(owner.token, `${path}${query}`)).items;
};

test('an entry says who did what to which object, from where and with what outcome', async () => {
  const key = await world.post(owner.token, `/workspaces/${team}/api-keys`, { name: 'ci', role: 'owner' });
  const { id } = await world.post(key.token, `/workspaces/${team}/invitations`, {
    email: 'ada@example.com',
    role: 'viewer',
  });
  const [entry] = await entries('?action=createInvitation');
  expect(entry).toMatchObject({
    kind: 'AuditEntry',
    userID: owner.userId,
    userName: 'owner@example.com',
    apiKeyID: key.id,
    apiKeyName: 'ci',
    action: 'createInvitation',
    outcome: 'ok',
    count: 1,
    objects: [expect.stringContaining(id)],
    source: expect.stringMatching(/127\.0\.0\.1/),
    requestID: expect.any(String),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

test('reads are not in it, and refused attempts are', async () => {
  const viewer = await world.join('viewer@example.com', 'viewer', { workspace: team, by: owner.token });
  await world.ask(viewer.token, `/workspaces/${team}/memberships`);
  await world.ask(viewer.token, `/workspaces/${team}`, { method: 'DELETE' });
  const found = await entries(`?actor=${viewer.userId}`);
  expect(found).toMatchObject([{ action: 'deleteWorkspace', outcome: 'Forbidden', objects: [team] }]);
});

test('nothing that was sent is in it', async () => {
  await world.ask(owner.token, '/v1alpha/secrets', {
    headers: { 'X-Workspace-ID': team },
    body: { name: 'hidden', type: 'opaque', data: Buffer.from('very secret').toString('base64') },
  });
  await invite('ada@example.com');
  const text = JSON.stringify(await entries());
  expect(text).toContain('createSecret');
  for (const secret of [
    'dmVyeSBzZWNyZXQ',
    'very secret',
    owner.token.split('.')[1] ?? 'none',
    'ada@example.com',
  ])
    expect(text).not.toContain(secret);
});

test('the newest come first, on pages that later entries do not shift', async () => {
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
    await invite(email);
    await world.api.flushRecords();
  }
  const first = await world.get(owner.token, `${path}?limit=2&action=createInvitation`);
  await invite('d@example.com');
  await world.api.flushRecords();
  const { cursor } = first.metadata;
  const query = `limit=2&action=createInvitation&cursor=${encodeURIComponent(cursor)}`;
  const second = await world.get(owner.token, `${path}?${query}`);
  const ids = [...first.items, ...second.items].map(({ id }) => id);
  expect([first.items.length, second.items.length, new Set(ids).size]).toEqual([2, 1, 3]);
  expect(second.metadata.cursor).toBeUndefined();
  const changed = await world.ask(owner.token, `${path}?limit=2&cursor=${encodeURIComponent(cursor)}`);
  expect(changed.status).toBe(400);
});

test('entries of replicas that wrote in turns are in the order of their times', async () => {
  const append = createAppendRecords(world.kube);
  const common = {
    userID: 'ann',
    action: 'deleteNetwork',
    objects: [],
    outcome: 'ok',
    requestID: 'r',
    count: 1,
  };
  const at = (second: number) => `2031-01-01T00:00:0${second}Z`;
  for (const seconds of [
    [1, 4],
    [2, 3],
  ]) {
    await append(
      `slipway-${team}`,
      seconds.map((second) => ({ ...common, at: at(second) })),
    );
  }
  const found = await entries('?action=deleteNetwork');
  expect(found.map((entry: { at: string }) => entry.at)).toEqual([4, 3, 2, 1].map(at));
});

test('a time bounds what is answered', async () => {
  await invite('ada@example.com');
  expect(await entries('?since=2001-01-01T00:00:00Z')).not.toEqual([]);
  expect(await entries('?since=2101-01-01T00:00:00Z')).toEqual([]);
  expect((await world.ask(owner.token, `${path}?since=yesterday`)).status).toBe(400);
});

test('equal requests within a moment are one entry that says how many', async () => {
  for (const email of ['a@example.com', 'b@example.com']) await invite(email);
  const [entry] = await entries('?action=createInvitation');
  expect([entry.count, entry.objects.length]).toEqual([2, 2]);
});

test('owners and admins see it, the others do not', async () => {
  const admins = await world.join('admin@example.com', 'admin', { workspace: team, by: owner.token });
  const developer = await world.join('dev@example.com', 'developer', { workspace: team, by: owner.token });
  const statuses = [admins.token, developer.token, admin].map(async (token) => {
    return (await world.ask(token, path)).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 403, 404]);
});

test('it is stored in the namespace of the workspace', async () => {
  await invite('ada@example.com');
  await world.api.flushRecords();
  const { items } = await world.kube.list(auditChunkType);
  expect(items.map(({ metadata }) => metadata.namespace)).toContain(`slipway-${team}`);
});
