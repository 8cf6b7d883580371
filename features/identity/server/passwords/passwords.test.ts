import type { IncomingMessage } from 'node:http';
import {
  type AccountsApi,
  admin,
  type Person,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { passwordType } from '../../api/resources/password.ts';
import { sessionType } from '../../api/resources/session.ts';
import { browserOf, ownPage } from '../../testing/sessions.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
const password = 'correct horse battery';
let world: AccountsApi;
let dev: Person;
beforeEach(async () => {
  const sourceOf = ({ headers }: IncomingMessage) => headers['x-test-source']?.toString() ?? '127.0.0.1';
  world = await startAccountsApi({ clock, limits: { sourceOf } });
  dev = await world.join('dev@example.com', 'developer');
});
afterEach(() => world.api.close());

const set = (body: object, token = dev.token) => world.ask(token, '/password', { method: 'PUT', body });
async function signIn(email: string, given: string, headers: Record<string, string> = ownPage) {
  const answer = await world.ask(null, '/sign-in/password', { body: { email, password: given }, headers });
  return { ...answer, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}
const meIn = (cookie: string) => world.ask(null, '/me', { headers: { ...ownPage, Cookie: cookie } });

test('a user sets a password, and signs in with the address of the account', async () => {
  expect((await world.get(dev.token, '/password')).isSet).toBe(false);
  expect((await set({ password })).json).toMatchObject({ isSet: true, email: 'dev@example.com' });
  const session = await signIn('Dev@Example.com ', password);
  expect([session.status, session.json.method, session.json.userID]).toEqual([201, 'password', dev.userId]);
  expect((await meIn(session.cookie)).json.role).toBe('owner');
});

test('the administrator, who has no address, states one, and can then revoke the first key', async () => {
  const without = await set({ password }, admin);
  expect([without.status, without.json.details[0].path]).toEqual([400, 'email']);
  expect((await set({ email: 'ops@example.com', password }, admin)).status).toBe(200);
  const { cookie } = await signIn('ops@example.com', password);
  const headers = { ...ownPage, Cookie: cookie };
  const path = '/workspaces/default/api-keys/bootstrap';
  expect((await world.ask(null, path, { method: 'DELETE', headers })).status).toBe(204);
  expect((await meIn(cookie)).json.user.id).toBe('admin');
});

test('an unknown address and a wrong password are the same answer', async () => {
  await set({ password });
  const wrong = await signIn('dev@example.com', `${password}!`);
  const unknown = await signIn('nobody@example.com', password);
  expect([wrong.status, unknown.status]).toEqual([401, 401]);
  expect({ ...wrong.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
  expect(world.api.audits.at(-1)).toMatchObject({
    event: 'failed sign-in',
    operation: 'signInWithPassword',
  });
});

test.each([
  ['too short', 'elevenchars', 'at least 12 characters'],
  ['the address', 'dev@example.com', 'contains your address'],
  ['the same few characters', 'abababababababab', 'different characters'],
])('a password that is %s is refused at its field', async (_what, weak, message) => {
  const { status, json } = await set({ password: weak });
  expect([status, json.details[0]]).toEqual([
    400,
    { path: 'password', message: expect.stringContaining(message) },
  ]);
});

test('strangers who guess a password do not keep its user out', async () => {
  await set({ password });
  const from = (source: string, given: string) =>
    signIn('dev@example.com', given, { ...ownPage, 'X-Test-Source': source });
  for (let n = 0; n < 30; n += 1) expect((await from(`203.0.113.${n}`, 'wrong')).status).toBe(401);
  expect((await from('203.0.113.1', 'wrong')).status).toBe(429);
  expect((await from('198.51.100.7', password)).status).toBe(201);
});

test('after ten wrong passwords an address has to wait, and others do not', async () => {
  await set({ password });
  for (let n = 0; n < 10; n += 1) expect((await signIn('dev@example.com', 'wrong')).status).toBe(401);
  const refused = await signIn('dev@example.com', password);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect((await signIn('other@example.com', 'wrong')).status).toBe(401);
  clock.advance(60_000);
  expect((await signIn('dev@example.com', password)).status).toBe(201);
});

test('a changed password ends the other sessions, and the former one is wrong', async () => {
  await set({ password });
  const phone = await signIn('dev@example.com', password);
  const headers = await browserOf(world, dev.userId, clock.nowMs());
  const body = { password: 'another long one' };
  expect((await world.ask(null, '/password', { method: 'PUT', body, headers })).status).toBe(200);
  expect((await meIn(phone.cookie)).status).toBe(401);
  expect((await world.ask(null, '/me', { headers })).status).toBe(200);
  expect((await signIn('dev@example.com', password)).status).toBe(401);
  expect((await signIn('dev@example.com', 'another long one')).status).toBe(201);
});

test('a removed password is wrong, and ends the other sessions', async () => {
  await set({ password });
  const { cookie } = await signIn('dev@example.com', password);
  expect((await world.ask(dev.token, '/password', { method: 'DELETE' })).status).toBe(204);
  expect((await meIn(cookie)).status).toBe(401);
  expect((await signIn('dev@example.com', password)).status).toBe(401);
  expect((await world.ask(dev.token, '/password', { method: 'DELETE' })).status).toBe(404);
});

test('a key that is narrower than its user sets none', async () => {
  const { token } = await world.post(dev.token, '/workspaces/default/api-keys', {
    name: 'ci',
    role: 'developer',
  });
  expect((await set({ password }, token)).status).toBe(403);
});

test("another site's page signs nobody in", async () => {
  await set({ password });
  const evil = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  expect((await signIn('dev@example.com', password, evil)).status).toBe(403);
});

test('the password is stored as a hash alone, which is of no use to another user', async () => {
  await set({ password });
  await signIn('dev@example.com', password);
  const [stored] = (await world.kube.list(passwordType)).items;
  expect(stored?.spec.hash).toMatch(/^\$argon2id\$v=19\$m=32768,t=2,p=1,bound=user\$/);
  const everything = [stored, await world.kube.list(sessionType), world.api.audits];
  expect(JSON.stringify(everything)).not.toContain(password);
  if (stored) await world.kube.replace(passwordType, { ...stored, spec: { ...stored.spec, user: 'admin' } });
  expect((await signIn('dev@example.com', password)).status).toBe(401);
});
