import {
  type AccountsApi,
  accountsApiOver,
  admin,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { sessionType } from '../../api/resources/session.ts';
import { signInTicketType } from '../../api/resources/ticket.ts';
import { browserOf, ownPage } from '../../testing/sessions.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
});
afterEach(() => world.api.close());

const create = (token: string) => world.ask(token, '/sign-in-links', { method: 'POST' });
const tokenIn = (url: string) => new URL(url).hash.slice(1);

async function open(token: string, headers: Record<string, string> = {}, of = world) {
  const answer = await of.ask(null, '/sign-in/link', {
    body: { token },
    headers: { ...ownPage, ...headers },
  });
  return { ...answer, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}
const meIn = (cookie: string) => world.ask(null, '/me', { headers: { ...ownPage, Cookie: cookie } });

test('the first key creates a link, which signs the administrator in once', async () => {
  const link = await create(admin);
  expect([link.status, link.json.expiresAt]).toEqual([201, '2030-01-01T00:15:00Z']);
  expect(link.json.url).toMatch(/^https:\/\/slipway\.example\/sign-in#l[0-9a-f]{24}\.[\w-]{43}$/);
  const { status, json, cookie } = await open(tokenIn(link.json.url));
  expect([status, json.method, json.userID, json.apiKeyID]).toEqual([201, 'link', 'admin', undefined]);
  expect((await meIn(cookie)).json).toMatchObject({ user: { id: 'admin' }, role: 'owner' });
  const again = await open(tokenIn(link.json.url));
  expect([again.status, again.cookie]).toEqual([401, '']);
  expect(world.api.audits.at(-1)).toMatchObject({ event: 'failed sign-in', operation: 'signInWithLink' });
});

test('a link that was used is used up after a restore as well, which gives it another uid', async () => {
  const token = tokenIn((await create(admin)).json.url);
  expect((await open(token)).status).toBe(201);
  const links = (await world.kube.list(signInTicketType)).items.filter(({ spec }) => spec.purpose === 'link');
  for (const { metadata, ...link } of links) {
    const { name, namespace } = metadata;
    await world.kube.delete(signInTicketType, metadata);
    await world.kube.create(signInTicketType, { ...link, metadata: { name, namespace } });
  }
  expect(links).toHaveLength(1);
  expect((await open(token)).status).toBe(401);
});

test('of several browsers that open a link at once, on any replica, one is signed in', async () => {
  const replica = await accountsApiOver(world.kube, { clock });
  const token = tokenIn((await create(admin)).json.url);
  const answers = await Promise.all([1, 2, 3, 4].map((n) => open(token, {}, n % 2 ? world : replica)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401]);
  await replica.api.close();
});

test('a repeated request whose session could not be opened signs in', async () => {
  const token = tokenIn((await create(admin)).json.url);
  const key = { 'Idempotency-Key': 'one' };
  const error = new AppError('Unavailable', 'kube-apiserver did not answer');
  world.kube.failNext({ verb: 'create', kind: 'Session', error });
  expect((await open(token, key)).status).toBe(503);
  expect((await open(token)).status).toBe(401);
  expect((await open(token, key)).status).toBe(201);
});

test('it is not valid after 15 minutes', async () => {
  const token = tokenIn((await create(admin)).json.url);
  clock.advance(15 * 60_000);
  expect((await open(token)).status).toBe(401);
});

test('a wrong secret leaves it as it is', async () => {
  const token = tokenIn((await create(admin)).json.url);
  expect((await open(`${token}x`)).status).toBe(401);
  expect((await open(token)).status).toBe(201);
});

test('it ends with the key that created it; the session it opened does not', async () => {
  const dev = await world.join('dev@example.com', 'developer');
  const [used, unused] = [await create(dev.token), await create(dev.token)];
  const { cookie } = await open(tokenIn(used.json.url));
  const [keyId] = dev.token.split('.');
  await world.ask(dev.token, `/workspaces/default/api-keys/${keyId}`, { method: 'DELETE' });
  expect((await open(tokenIn(unused.json.url))).status).toBe(401);
  expect((await meIn(cookie)).status).toBe(200);
});

test('a key that is narrower than its user creates none', async () => {
  const narrow = [
    { name: 'ci', role: 'developer' },
    { name: 'reader', role: 'owner', permissions: ['account:read', 'networks:read'] },
  ];
  for (const body of narrow) {
    const { token } = await world.post(admin, '/workspaces/default/api-keys', body);
    const { status, json } = await create(token);
    expect([status, json.message]).toEqual([403, expect.stringContaining('narrower than its user')]);
  }
});

test('a session cannot prolong itself with one', async () => {
  const headers = await browserOf(world, 'admin', clock.nowMs());
  const { status, json } = await world.ask(null, '/sign-in-links', { method: 'POST', headers });
  expect([status, json.message]).toEqual([403, expect.stringContaining('send the API key')]);
});

test("another site's page cannot use one", async () => {
  const token = tokenIn((await create(admin)).json.url);
  const evil = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  expect((await open(token, evil)).status).toBe(403);
  expect((await open(token)).status).toBe(201);
});

test('its secret is in the answer alone', async () => {
  const { json } = await create(admin);
  const [, secret = '-'] = tokenIn(json.url).split('.');
  const stored = [await world.kube.list(signInTicketType), world.api.audits];
  expect(JSON.stringify(stored)).not.toContain(secret);
  await open(tokenIn(json.url));
  const after = [
    await world.kube.list(signInTicketType),
    await world.kube.list(sessionType),
    world.api.audits,
  ];
  expect(JSON.stringify(after)).not.toContain(secret);
});

test('there is none where nobody can sign in with a browser', async () => {
  const plain = await startAccountsApi({ clock, publicUrl: 'http://slipway.example' });
  const { status, json } = await plain.ask(admin, '/sign-in-links', { method: 'POST' });
  expect([status, json.message]).toEqual([403, expect.stringContaining('needs TLS')]);
  await plain.api.close();
});
