import { type AccountsApi, admin, startAccountsApi } from '../../../../apiserver/testing/accountsApi.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { passwordType } from '../../api/resources/password.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { formerPassword } from '../passwords/testing/formerPassword.ts';

/** The first API key of an installation, and other ways of its administrator to sign in. */

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
});
afterEach(() => world.api.close());

const keys = '/workspaces/default/api-keys';
const revoke = (by: string, id = 'bootstrap') => world.ask(by, `${keys}/${id}`, { method: 'DELETE' });

test.each([
  [
    "the administrator's password is for the address of somebody else",
    async () => {
      const admins = { userId: 'admin', email: 'ada@example.com', password: 'correct horse battery' };
      const ref = { namespace: 'slipway-system', name: 'admin' };
      await world.kube.patch(userType, ref, { spec: { email: 'ops@example.com' } });
      await world.kube.create(passwordType, await formerPassword(world.kube, admins));
    },
  ],
  [
    "the administrator's address was proven by somebody else",
    async () => {
      const body = { email: 'ops@example.com', password: 'correct horse battery' };
      await world.ask(admin, '/password', { method: 'PUT', body });
      const { userId } = await world.join('ops@example.com', 'developer');
      const proof = { spec: { emailProof: 'mail' } };
      await world.kube.patch(userType, { namespace: 'slipway-system', name: userId }, proof);
    },
  ],
])('it cannot be revoked while %s', async (_reason, prepare) => {
  await prepare();
  const { status, json } = await revoke(admin);
  expect([status, json.message]).toEqual([409, expect.stringContaining('invite an owner first')]);
  expect((await world.ask(admin, '/me')).status).toBe(200);
});

test('the administrator revokes it once there is a passkey, and then signs in with that', async () => {
  const laptop = createAuthenticator();
  const body = { name: 'laptop', credential: laptop.create(await world.get(admin, '/passkeys/options')) };
  const passkey = await world.post(admin, '/passkeys', body);
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const signIn = async () => {
    const { json: options } = await world.ask(null, '/sign-in/passkey');
    return world.ask(null, '/sign-in/passkey', { headers, body: laptop.get(options) });
  };
  const byKey = await world.ask(null, '/sessions', { headers, body: { apiKey: admin } });
  const session = await signIn();
  const [cookie = ''] = session.headers.getSetCookie()[0]?.split(';') ?? [];
  const inBrowser = { ...headers, Cookie: cookie };
  const path = `${keys}/bootstrap`;
  expect((await world.ask(null, path, { method: 'DELETE', headers: inBrowser })).status).toBe(204);
  expect((await world.ask(admin, '/me')).status).toBe(401);
  const [former = ''] = byKey.headers.getSetCookie()[0]?.split(';') ?? [];
  expect((await world.ask(null, '/me', { headers: { ...headers, Cookie: former } })).status).toBe(401);
  expect((await signIn()).status).toBe(201);
  expect((await world.ask(null, '/me', { headers: inBrowser })).json.role).toBe('owner');
  expect(passkey.userID).toBe('admin');
});
