import { apiKeyType } from '../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { type AccountsApi, admin, type Person, startAccountsApi } from '../../testing/accountsApi.ts';
import { eventually } from '../../testing/eventually.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
let dev: Person;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
  dev = await world.join('dev@example.com', 'developer');
});
afterEach(() => world.api.close());

const list = '/workspaces/default/api-keys';
const create = (by: string, body: object = {}) =>
  world.ask(by, list, { body: { name: 'ci', role: 'developer', ...body } });
const revoke = (by: string, id: string) => world.ask(by, `${list}/${id}`, { method: 'DELETE' });
const idsSeenBy = async (by: string) => (await world.get(by, list)).items.map(({ id }: { id: string }) => id);

test('the secret has 256 bits, is only in the answer, and works in both header forms', async () => {
  const { status, json, headers } = await create(dev.token);
  expect(status).toBe(201);
  expect(Buffer.from(json.secret, 'base64url')).toHaveLength(32);
  expect(json.token).toBe(`${json.id}.${json.secret}`);
  expect(headers.get('location')).toBe(`/workspace/v1alpha1${list}/${json.id}`);
  const pair = { 'X-API-Key-ID': json.id, 'X-API-Key-Secret': json.secret };
  expect((await world.ask(null, '/me', { headers: pair })).json).toMatchObject({ apiKeyID: json.id });
  expect((await world.ask(json.token, '/me')).status).toBe(200);

  const { secret, token: _, ...rest } = json;
  const { items } = await world.get(dev.token, list);
  const listed = items.find(({ id }: { id: string }) => id === json.id);
  expect(listed).toMatchObject(rest);
  expect(JSON.stringify(await world.kube.list(apiKeyType))).not.toContain(secret);
  expect(JSON.stringify(world.api.audits)).not.toContain(secret);
});

test('a revoked key is invalid immediately', async () => {
  const { json } = await create(dev.token);
  expect((await revoke(dev.token, json.id)).status).toBe(204);
  expect((await world.ask(json.token, '/me')).status).toBe(401);
  expect(await idsSeenBy(dev.token)).not.toContain(json.id);
  expect((await revoke(dev.token, json.id)).status).toBe(404);
});

test('an expired key is invalid', async () => {
  const { json } = await create(dev.token, { expiresAt: '2030-01-01T01:00:00Z' });
  expect((await world.ask(json.token, '/me')).status).toBe(200);
  clock.advance(3600 * 1000);
  expect((await world.ask(json.token, '/me')).status).toBe(401);
  const past = await create(dev.token, { expiresAt: '2020-01-01T00:00:00Z' });
  expect([past.status, past.json.details[0].path]).toEqual([400, 'expiresAt']);
});

test('its last use is recorded once a minute', async () => {
  const { json } = await create(dev.token);
  const stored = () => world.kube.get(apiKeyType, { namespace: 'slipway-system', name: json.id });
  const usedAt = async () => (await stored())?.status?.lastUsedAt;
  await world.get(json.token, '/me');
  await eventually(usedAt, (time) => time !== undefined);
  const writes = () =>
    world.kube.requests.filter(({ verb, name }) => verb === 'apply' && name === json.id).length;
  await world.get(json.token, '/me');
  expect(writes()).toBe(1);
  const first = await usedAt();
  clock.advance(61_000);
  await world.get(json.token, '/me');
  await eventually(usedAt, (time) => time !== first);
  const { items } = await world.get(dev.token, list);
  expect(items.find(({ id }: { id: string }) => id === json.id).lastUsedAt).toBe(await usedAt());
});

describe('has no more permissions than the key that creates it', () => {
  test.each<[string, object, number]>([
    ['the same role', { role: 'developer' }, 201],
    ['a lower role', { role: 'viewer' }, 201],
    ['a higher role', { role: 'admin' }, 403],
    ['fewer permissions', { permissions: ['networks:read'] }, 201],
  ])('%s', async (_what, body, status) => {
    const answer = await create(dev.token, body);
    expect(answer.status).toBe(status);
    if (status !== 201) return;
    const { permissions } = await world.get(dev.token, '/me');
    expect(permissions).toEqual(expect.arrayContaining(answer.json.permissions));
  });

  test('permissions that the role of the new key does not have are named', async () => {
    const { status, json } = await create(dev.token, {
      role: 'viewer',
      permissions: ['networks:read', 'networks:write'],
    });
    expect(status).toBe(400);
    expect(json.details).toEqual([
      { path: 'permissions[1]', message: expect.stringContaining('the role viewer does not have it') },
    ]);
  });

  test('a restricted key cannot create a wider one in any workspace', async () => {
    const only = ['api-keys:write', 'networks:read', 'account:read'];
    const { json: narrow } = await create(dev.token, { permissions: only });
    expect(narrow.permissions.sort()).toEqual([...only].sort());
    const wide = await create(narrow.token);
    expect([wide.status, wide.json.message]).toEqual([403, expect.stringContaining('networks:write')]);
    expect((await create(narrow.token, { permissions: ['networks:read'] })).status).toBe(201);
    const elsewhere = await world.ask(narrow.token, `/workspaces/${dev.personal}/api-keys`, {
      body: { name: 'up', role: 'owner' },
    });
    expect(elsewhere.status).toBe(403);
  });

  test('a permission that does not exist is 400', async () => {
    const { status, json } = await create(dev.token, { permissions: ['all:everything'] });
    expect([status, json.details[0].path]).toEqual([400, 'permissions[0]']);
  });
});

test('a restricted key is limited to its permissions', async () => {
  const { json } = await create(dev.token, { permissions: ['networks:read'] });
  expect((await world.ask(json.token, '/v1alpha/networks')).status).toBe(200);
  expect((await world.ask(json.token, '/v1alpha/secrets')).status).toBe(403);
  expect((await world.ask(json.token, '/me')).status).toBe(403);
  const elsewhere = { headers: { 'X-Workspace-ID': dev.personal } };
  expect((await world.ask(json.token, '/v1alpha/secrets', elsewhere)).status).toBe(403);
});

test('members list and revoke their own keys; administrators all keys', async () => {
  const other = await world.join('other@example.com', 'developer');
  const { json } = await create(dev.token);
  expect(await idsSeenBy(admin)).toContain(json.id);
  expect(await idsSeenBy(other.token)).not.toContain(json.id);
  const foreign = await revoke(other.token, json.id);
  const unknown = await revoke(other.token, `k${'0'.repeat(24)}`);
  expect([foreign.status, foreign.json.message]).toEqual([404, unknown.json.message]);
  expect((await revoke(admin, json.id)).status).toBe(204);
  expect((await world.ask(json.token, '/me')).status).toBe(401);
});

test('the first key of an account belongs only to its user: no administrator lists or revokes it', async () => {
  const [first] = await idsSeenBy(dev.token);
  expect(dev.token.startsWith(`${first}.`)).toBe(true);
  expect(await idsSeenBy(admin)).toEqual(['bootstrap']);
  expect((await revoke(admin, String(first))).status).toBe(404);
  expect((await revoke(dev.token, String(first))).status).toBe(204);
  expect((await world.ask(dev.token, '/me')).status).toBe(401);
});

test('a key works in another workspace of its user if the request names it', async () => {
  const inPersonal = { headers: { 'X-Workspace-ID': dev.personal } };
  expect((await world.ask(dev.token, '/me', inPersonal)).json.workspace.id).toBe(dev.personal);
  const { json: viewer } = await create(dev.token, { role: 'viewer' });
  expect((await world.ask(viewer.token, '/me', inPersonal)).json.role).toBe('viewer');
});

test('made-up key ids cost the cluster little and cannot lock out known users', async () => {
  const before = world.kube.requests.length;
  const strangers = Array.from({ length: 300 }, (_, n) => `k${String(n).padStart(24, '0')}.x`);
  const answers = await Promise.all(strangers.map((token) => world.ask(token, '/me')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
  expect(world.kube.requests.length - before).toBeLessThanOrEqual(50);
  expect((await world.ask(dev.token, '/me')).status).toBe(200);
  expect((await world.ask('not-even-an-id.x', '/me')).status).toBe(401);
});
