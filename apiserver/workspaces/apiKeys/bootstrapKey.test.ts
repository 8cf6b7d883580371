import { userType } from '../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { type AccountsApi, accountsApiOver, admin, startAccountsApi } from '../../testing/accountsApi.ts';
import { eventually } from '../../testing/eventually.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
});
afterEach(() => world.api.close());

const keys = '/workspaces/default/api-keys';
const revoke = (by: string, id = 'bootstrap') => world.ask(by, `${keys}/${id}`, { method: 'DELETE' });
const bootstrapSeenBy = async (token: string) => {
  const { items } = await world.get(token, keys);
  return items.find(({ id }: { id: string }) => id === 'bootstrap');
};

test('the first key is listed with its last use, to administrators of the default workspace only', async () => {
  const boss = await world.join('boss@example.com', 'admin');
  const dev = await world.join('dev@example.com', 'developer');
  const isUsed = (key: { lastUsedAt?: string }) => key.lastUsedAt === '2030-01-01T00:00:00Z';
  const key = await eventually(() => bootstrapSeenBy(boss.token), isUsed);
  expect(key).toMatchObject({ kind: 'ApiKey', userID: 'admin', workspaceID: 'default', role: 'owner' });
  expect(await bootstrapSeenBy(dev.token)).toBeUndefined();
  expect((await revoke(dev.token)).status).toBe(404);
  const elsewhere = `/workspaces/${dev.personal}/api-keys/bootstrap`;
  expect((await world.ask(dev.token, elsewhere, { method: 'DELETE' })).status).toBe(404);
});

test.each([
  ['nobody else is an owner', async () => void (await world.join('a@example.com', 'admin'))],
  [
    "the other owner's key has expired",
    async () => {
      const owner = await world.join('a@example.com', 'owner');
      const body = { name: 'short', role: 'owner', expiresAt: '2030-01-01T01:00:00Z' };
      await world.post(owner.token, keys, body);
      const [id] = owner.token.split('.');
      await world.ask(owner.token, `${keys}/${id}`, { method: 'DELETE' });
      clock.advance(2 * 3_600_000);
    },
  ],
  [
    "the other owner's key is narrowed",
    async () => {
      const owner = await world.join('a@example.com', 'owner');
      await world.post(owner.token, keys, { name: 'ci', role: 'owner', permissions: ['networks:read'] });
      const [id] = owner.token.split('.');
      await world.ask(owner.token, `${keys}/${id}`, { method: 'DELETE' });
    },
  ],
])('it cannot be revoked while %s', async (_reason, prepare) => {
  await prepare();
  const { status, json } = await revoke(admin);
  expect([status, json.message]).toEqual([409, expect.stringContaining('invite an owner first')]);
  expect((await world.ask(admin, '/me')).status).toBe(200);
});

test('an administrator who is not an owner cannot revoke it', async () => {
  await world.join('owner@example.com', 'owner');
  const boss = await world.join('boss@example.com', 'admin');
  expect((await revoke(boss.token)).status).toBe(403);
});

test('another owner revokes it; it stays revoked on other replicas, after a restart and with a new Secret', async () => {
  const owner = await world.join('owner@example.com', 'owner');
  const replica = await accountsApiOver(world.kube, { clock });
  expect((await revoke(owner.token)).status).toBe(204);
  expect((await world.ask(admin, '/me')).status).toBe(401);
  await eventually(
    () => replica.ask(admin, '/me'),
    ({ status }) => status === 401,
  );
  expect(await bootstrapSeenBy(owner.token)).toBeUndefined();
  expect((await revoke(owner.token)).status).toBe(404);
  await replica.api.close();

  const restarted = await accountsApiOver(world.kube, { clock });
  expect((await restarted.ask(admin, '/me')).status).toBe(401);
  await restarted.api.close();
  const bootstrapKey = { keyId: 'bootstrap2', keySecret: 'other' };
  const upgraded = await accountsApiOver(world.kube, { clock, bootstrapKey });
  expect((await upgraded.ask('bootstrap2.other', '/me')).status).toBe(401);
  await upgraded.api.close();
  expect((await world.ask(owner.token, '/me')).status).toBe(200);
});

test('removing the mark in the cluster makes the key valid again', async () => {
  const owner = await world.join('owner@example.com', 'owner');
  expect((await revoke(owner.token)).status).toBe(204);
  const ref = { namespace: 'slipway-system', name: 'admin' };
  await world.kube.patch(userType, ref, { status: { bootstrapKey: null } }, 'status');
  await eventually(
    () => world.ask(admin, '/me'),
    ({ status }) => status === 200,
  );
});

test('it is not valid after the time in the chart', async () => {
  const bootstrapKey = { expiresAt: '2030-02-01T00:00:00Z' };
  const later = createManualClock(Date.parse('2030-01-31T23:59:59Z'));
  const short = await startAccountsApi({ clock: later, bootstrapKey });
  expect((await short.ask(admin, '/me')).status).toBe(200);
  const { items } = await short.get(admin, keys);
  expect(items).toMatchObject([{ id: 'bootstrap', expiresAt: '2030-02-01T00:00:00Z' }]);
  later.advance(1000);
  expect((await short.ask(admin, '/me')).status).toBe(401);
  await short.api.close();
});
