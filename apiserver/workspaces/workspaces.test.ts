import { membershipType, networkType, workspaceType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { AppError } from '../../core/lib/errors.ts';
import { type AccountsApi, admin, type Person, startAccountsApi } from '../testing/accountsApi.ts';

let world: AccountsApi;
let ann: Person;
beforeAll(async () => {
  world = await startAccountsApi();
  ann = await world.join('ann@example.com', 'developer');
});
afterAll(() => world.api.close());

const create = (name: string, token = ann.token) => world.post(token, '/workspaces', { name });
const ref = (name: string) => ({ namespace: 'slipway-system', name });

test('the first key belongs to the administrator, an owner of the default workspace', async () => {
  expect(await world.get(admin, '/me')).toMatchObject({
    kind: 'Me',
    user: { kind: 'User', id: 'admin', personalWorkspaceID: 'default' },
    workspace: { id: 'default' },
    role: 'owner',
    apiKeyID: 'bootstrap',
    permissions: expect.arrayContaining(['workspaces:delete']),
  });
});

test('a new user gets an account, a personal workspace, and the role of the invitation', async () => {
  const me = await world.get(ann.token, '/me');
  expect(me).toMatchObject({
    user: { id: ann.userId, email: 'ann@example.com' },
    workspace: { id: 'default' },
    role: 'developer',
  });
  const headers = { 'X-Workspace-ID': ann.personal };
  expect((await world.ask(ann.token, '/me', { headers })).json).toMatchObject({
    workspace: { id: ann.personal, name: 'personal' },
    role: 'owner',
  });
});

test('lists only the workspaces of the caller, page by page', async () => {
  const created = await create('listed');
  const { items } = await world.get(ann.token, '/workspaces');
  expect(items.map(({ id }: { id: string }) => id).sort()).toEqual(
    ['default', ann.personal, created.id].sort(),
  );
  const first = await world.get(ann.token, '/workspaces?limit=2');
  const cursor = encodeURIComponent(first.metadata.cursor);
  const second = await world.get(ann.token, `/workspaces?limit=2&cursor=${cursor}`);
  expect([...first.items, ...second.items]).toEqual(items);
  expect(second.metadata).toEqual({});
});

test('a new workspace belongs to its creator', async () => {
  const answer = await world.ask(ann.token, '/workspaces', { body: { name: 'mine', description: 'for me' } });
  const { id } = answer.json;
  expect(answer.status).toBe(201);
  expect(answer.headers.get('location')).toBe(`/workspace/v1alpha1/workspaces/${id}`);
  expect(answer.json).toMatchObject({
    kind: 'Workspace',
    version: 'v1alpha1',
    name: 'mine',
    description: 'for me',
    metadata: { rev: 1, ownerID: ann.userId },
  });
  expect(await world.get(ann.token, `/workspaces/${id}`)).toEqual(answer.json);
  expect((await world.get(ann.token, `/workspaces/${id}/memberships`)).items).toMatchObject([
    { kind: 'Membership', userID: ann.userId, email: 'ann@example.com', role: 'owner' },
  ]);
  const stored = await world.kube.get(workspaceType, ref(id));
  expect(stored?.metadata.finalizers).toEqual(['slipway.dev/operator']);
});

test.each([
  ['no name', {}, 'name'],
  ['a name that is not a label', { name: 'My Team' }, 'name'],
  ['an unknown field', { name: 'x', owners: ['eve'] }, 'owners'],
])('%s is 400, and the answer names it', async (_reason, body, path) => {
  const { status, json } = await world.ask(ann.token, '/workspaces', { body });
  expect([status, json.details[0].path]).toEqual([400, path]);
});

test('is replaced completely; with If-Match only if it is unchanged', async () => {
  const { id } = await create('before');
  const put = (body: object, ifMatch?: string) =>
    world.ask(ann.token, `/workspaces/${id}`, {
      method: 'PUT',
      body,
      headers: ifMatch ? { 'If-Match': ifMatch } : {},
    });
  const described = await put({ name: 'after', description: 'words' });
  expect(described.json).toMatchObject({ name: 'after', description: 'words' });
  for (const _attempt of ['first', 'after its answer was lost']) {
    const bare = await put({ name: 'after' }, described.headers.get('etag')!);
    expect([bare.status, bare.json.description]).toEqual([200, undefined]);
  }
  expect((await put({ name: 'late' }, described.headers.get('etag')!)).status).toBe(409);
  expect((await world.get(ann.token, `/workspaces/${id}`)).name).toBe('after');
});

test('can be deleted once its networks are deleted; then it is unknown, and the keys of its members are invalid', async () => {
  const { id } = await create('brief');
  const key = await world.post(ann.token, `/workspaces/${id}/api-keys`, { name: 'k', role: 'owner' });
  expect(await world.get(key.token, '/me')).toMatchObject({ workspace: { id } });
  const network = aNetwork({ namespace: `slipway-${id}` });
  await world.kube.create(networkType, network);
  const refused = await world.ask(ann.token, `/workspaces/${id}`, { method: 'DELETE' });
  expect([refused.status, refused.json.message]).toEqual([409, expect.stringContaining('"my-network"')]);

  await world.kube.delete(networkType, network.metadata);
  expect((await world.ask(ann.token, `/workspaces/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await world.ask(ann.token, `/workspaces/${id}`)).status).toBe(404);
  expect((await world.ask(ann.token, `/workspaces/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await world.ask(key.token, '/me')).status).toBe(401);
});

test.each([
  ['a personal one', () => [ann.token, ann.personal]],
  ['the default one', () => [admin, 'default']],
])('%s cannot be deleted', async (_which, of) => {
  const [token = '', id] = of();
  expect((await world.ask(token, `/workspaces/${id}`, { method: 'DELETE' })).status).toBe(409);
});

test('a user can only create a limited number of workspaces', async () => {
  const bob = await world.join('bob@example.com', 'developer');
  for (let n = 0; n < 5; n++) await create(`n${n}`, bob.token);
  const { status, json } = await world.ask(bob.token, '/workspaces', { body: { name: 'more' } });
  const message =
    'you created 5 workspaces that exist, the maximum is 5 (quota.workspaces): delete one first';
  expect([status, json.message]).toEqual([400, message]);
});

test('an interrupted creation belongs to nobody else: the operator finds its owner in it', async () => {
  const error = new AppError('Unavailable', 'cut');
  world.kube.failNext({ verb: 'create', kind: 'Membership', error });
  expect((await world.ask(admin, '/workspaces', { body: { name: 'half' } })).status).toBe(503);
  const { items } = await world.kube.list(workspaceType);
  expect(items.find(({ spec }) => spec.name === 'half')?.spec.owners).toEqual(['admin']);
});

test('every change writes an audit line without values of its body', async () => {
  world.api.audits.length = 0;
  const { id } = await create('audited');
  await world.ask(ann.token, `/workspaces/${id}`, { method: 'PUT', body: { name: 'secretive' } });
  await world.get(ann.token, `/workspaces/${id}`);
  expect(
    world.api.audits.map(({ operation, user, objects, outcome }) => [operation, user, objects, outcome]),
  ).toEqual([
    ['createWorkspace', ann.userId, `workspace ${id}`, 'ok'],
    ['replaceWorkspace', ann.userId, `workspace ${id}`, 'ok'],
  ]);
  expect(JSON.stringify(world.api.audits)).not.toContain('secretive');
});

test('memberships are found by name, one per user', async () => {
  const stored = await world.kube.get(membershipType, ref(`default.${ann.userId}`));
  expect(stored).toMatchObject({ spec: { workspace: 'default', user: ann.userId, role: 'developer' } });
});
