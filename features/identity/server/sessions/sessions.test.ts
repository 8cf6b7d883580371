import { openEvents } from '../../../../apiserver/events/testing/client.ts';
import {
  type AccountsApi,
  accountsApiOver,
  admin,
  type Person,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { eventually } from '../../../../apiserver/testing/eventually.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { sessionType } from '../../api/resources/session.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
const hour = 3_600_000;
let world: AccountsApi;
let dev: Person;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
  dev = await world.join('dev@example.com', 'developer');
});
afterEach(() => world.api.close());

const own = { 'Sec-Fetch-Site': 'same-origin' };

async function signIn(token: string, headers: Record<string, string> = {}) {
  const answer = await world.ask(null, '/sessions', {
    body: { apiKey: token },
    headers: { ...own, ...headers },
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  return { ...answer, cookie: cookie.split(';')[0] ?? '', attributes: cookie };
}

const withCookie = (
  cookie: string,
  path = '/me',
  options: { method?: string; body?: object } = {},
  of = world,
) => of.ask(null, path, { ...options, headers: { Cookie: cookie, ...own } });

test('an API key signs a browser in, which then has the access of the key', async () => {
  const { status, json, cookie, attributes, headers } = await signIn(dev.token, { 'User-Agent': 'Firefox' });
  expect(status).toBe(201);
  expect(json).toMatchObject({ kind: 'Session', userID: dev.userId, isCurrent: true, userAgent: 'Firefox' });
  expect(json.expiresAt).toBe('2030-01-01T12:00:00Z');
  expect(headers.get('location')).toBe(`/workspace/v1alpha1/sessions/${json.id}`);
  expect(attributes).toMatch(/^__Host-slipway-session=.*; HttpOnly; SameSite=Lax; Secure$/);
  const me = await withCookie(cookie);
  expect(me.json).toMatchObject({ user: { id: dev.userId }, role: 'developer', sessionID: json.id });
  expect(me.json.apiKeyID).toBe(dev.token.split('.')[0]);
  const elsewhere = { Cookie: cookie, ...own, 'X-Workspace-ID': dev.personal };
  expect((await world.ask(null, '/me', { headers: elsewhere })).json.workspace.id).toBe(dev.personal);
  expect((await withCookie((await signIn(admin)).cookie)).json.user.id).toBe('admin');
});

test('a sign-in that is repeated because its answer was lost sets the same cookie', async () => {
  const key = { 'Idempotency-Key': 'k1' };
  const [first, again] = [await signIn(dev.token, key), await signIn(dev.token, key)];
  expect([again.status, again.json]).toEqual([201, first.json]);
  expect(again.attributes).toBe(first.attributes);
  expect((await withCookie(again.cookie)).json.sessionID).toBe(first.json.id);
});

test('the secret of a session is in its cookie alone', async () => {
  const { text, cookie } = await signIn(dev.token);
  const secret = cookie.split('.')[1] ?? '';
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  const everything = [text, await world.kube.list(sessionType), world.api.audits];
  expect(JSON.stringify(everything)).not.toContain(secret);
  expect(JSON.stringify(everything)).not.toContain(dev.token.split('.')[1]);
});

test.each([
  ['a wrong secret', () => `${dev.token}x`],
  ['an unknown key', () => `k${'0'.repeat(24)}.secret`],
  ['no token at all', () => 'nonsense'],
])('nobody signs in with %s', async (_what, token) => {
  const { status, cookie } = await signIn(token());
  expect([status, cookie]).toEqual([401, '']);
  expect(world.api.audits.at(-1)).toMatchObject({ event: 'failed sign-in', operation: 'createSession' });
});

test("another site's page can neither sign in nor use the session", async () => {
  const evil = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  expect((await signIn(dev.token, evil)).status).toBe(403);
  const { cookie } = await signIn(dev.token);
  const body = { name: 'stolen', role: 'developer' };
  const headers = { Cookie: cookie, ...evil };
  const forged = await world.ask(null, '/workspaces/default/api-keys', { body, headers });
  expect([forged.status, forged.json.message]).toEqual([403, expect.stringContaining("another site's page")]);
  expect((await world.ask(null, '/me', { headers })).status).toBe(403);
  // Who sends a key has no need of the cookie.
  expect((await world.ask(dev.token, '/me', { headers })).status).toBe(200);
});

test('a session that is signed out is over on all replicas', async () => {
  const replica = await accountsApiOver(world.kube, { clock });
  const { cookie } = await signIn(dev.token);
  expect((await withCookie(cookie, '/me', {}, replica)).status).toBe(200);
  const { status, headers } = await withCookie(cookie, '/sessions/current', { method: 'DELETE' });
  expect([status, headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  const after = await withCookie(cookie);
  expect([after.status, after.json.message]).toEqual([401, 'the session has ended: sign in again']);
  await eventually(
    () => withCookie(cookie, '/me', {}, replica),
    (answer) => answer.status === 401,
  );
  await replica.api.close();
});

test('a stream of events ends with the session that opened it', async () => {
  const [here, elsewhere] = [await signIn(dev.token), await signIn(dev.token)];
  const open = (cookie: string) => openEvents(world.api.url, { headers: { Cookie: cookie, ...own } });
  const streams = [await open(here.cookie), await open(elsewhere.cookie)];
  await Promise.all(streams.map((stream) => stream.saw('stream.ready')));
  await withCookie(here.cookie, '/sessions/current', { method: 'DELETE' });
  clock.advance(1000);
  await streams[0]?.ended;
  expect((await withCookie(elsewhere.cookie)).status).toBe(200);
  await world.ask(dev.token, `/sessions/${elsewhere.json.id}`, { method: 'DELETE' });
  clock.advance(1000);
  await streams[1]?.ended;
});

test('a session ends with its API key', async () => {
  const { json } = await world.ask(dev.token, '/workspaces/default/api-keys', {
    body: { name: 'laptop', role: 'viewer' },
  });
  const { cookie } = await signIn(json.token);
  expect((await withCookie(cookie)).json.role).toBe('viewer');
  await world.ask(dev.token, `/workspaces/default/api-keys/${json.id}`, { method: 'DELETE' });
  expect((await withCookie(cookie)).status).toBe(401);
});

describe('a session ends', () => {
  test('an hour after its last use', async () => {
    const { cookie, json } = await signIn(dev.token);
    clock.advance(hour - 60_000);
    expect((await withCookie(cookie)).status).toBe(200);
    const stored = () => world.kube.get(sessionType, { namespace: 'slipway-system', name: json.id });
    await eventually(stored, (session) => session?.status?.lastUsedAt !== undefined);
    clock.advance(hour - 1000);
    expect((await withCookie(cookie)).status).toBe(200);
    clock.advance(2 * hour);
    expect((await withCookie(cookie)).status).toBe(401);
  });

  test('12 hours after it began, however much it is used', async () => {
    const { cookie, json } = await signIn(dev.token);
    const stored = () => world.kube.get(sessionType, { namespace: 'slipway-system', name: json.id });
    for (let halves = 1; halves < 24; halves += 1) {
      clock.advance(hour / 2);
      expect((await withCookie(cookie)).status).toBe(200);
      const isNoted = (at = '') => Date.parse(at) === clock.nowMs();
      await eventually(stored, (session) => isNoted(session?.status?.lastUsedAt));
    }
    clock.advance(hour / 2);
    expect((await withCookie(cookie)).status).toBe(401);
  });
});

test('users list and end their own sessions, and no others', async () => {
  const other = await world.join('other@example.com', 'developer');
  const laptop = await signIn(dev.token, { 'User-Agent': 'laptop' });
  const phone = await signIn(dev.token, { 'User-Agent': 'phone' });
  const { json } = await withCookie(laptop.cookie, '/sessions');
  const seen = json.items.map(({ userAgent, isCurrent }: { userAgent: string; isCurrent: boolean }) => [
    userAgent,
    isCurrent,
  ]);
  expect(seen.toSorted()).toEqual([
    ['laptop', true],
    ['phone', false],
  ]);
  expect((await world.get(other.token, '/sessions')).items).toEqual([]);
  const end = (token: string, id: string) => world.ask(token, `/sessions/${id}`, { method: 'DELETE' });
  expect((await end(other.token, phone.json.id)).status).toBe(404);
  expect((await end(dev.token, phone.json.id)).status).toBe(204);
  expect((await withCookie(phone.cookie)).status).toBe(401);
  expect((await end(dev.token, 'current')).status).toBe(404);
  expect((await withCookie(laptop.cookie)).status).toBe(200);
});

test('at one session too many, the oldest of the user ends', async () => {
  const first = await signIn(dev.token);
  for (let count = 1; count < 20; count += 1) {
    clock.advance(1000);
    await signIn(dev.token);
  }
  expect((await withCookie(first.cookie)).status).toBe(200);
  clock.advance(1000);
  const last = await signIn(dev.token);
  expect((await withCookie(first.cookie)).status).toBe(401);
  expect((await withCookie(last.cookie)).status).toBe(200);
});

test('nobody signs in where the cookie would cross the network in plain text', async () => {
  const plain = await startAccountsApi({ clock, publicUrl: 'http://slipway.example' });
  const { status, json } = await plain.ask(null, '/sessions', { body: { apiKey: admin } });
  expect([status, json.message]).toEqual([403, expect.stringContaining('needs TLS')]);
  await plain.api.close();
});

test('whoever is signed in accepts an invitation as themselves', async () => {
  const host = await world.join('host@example.com', 'developer');
  const { token } = await world.post(host.token, `/workspaces/${host.personal}/invitations`, {
    email: 'dev@example.com',
    role: 'viewer',
  });
  const { cookie } = await signIn(dev.token);
  const joined = await withCookie(cookie, '/invitations/accept', { method: 'POST', body: { token } });
  expect([joined.status, joined.json.userID]).toEqual([200, dev.userId]);
});
