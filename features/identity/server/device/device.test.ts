import {
  type AccountsApi,
  accountsApiOver,
  admin,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { apiKeyType } from '../../../../core/api/resources/resources.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { signInTicketType } from '../../api/resources/ticket.ts';
import { browserOf } from '../../testing/sessions.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
});
afterEach(() => world.api.close());

const path = '/device-sign-ins';
const ask = (name = 'build-7', of = world) => of.ask(null, path, { body: { name } });
const fetchKey = (deviceCode: string, of = world) =>
  of.ask(null, `${path}/api-key`, { body: { deviceCode } });
const lookUp = (token: string, userCode: string) =>
  world.ask(token, `${path}/look-up`, { body: { userCode } });
const deny = (token: string, userCode: string) => world.ask(token, `${path}/deny`, { body: { userCode } });
const approve = (token: string, userCode: string, more: object = {}) =>
  world.ask(token, '/workspaces/default/device-sign-ins', {
    body: { userCode, name: 'from the terminal', role: 'developer', ...more },
  });

async function poll(deviceCode: string, of = world) {
  clock.advance(3_000);
  return of.ask(null, `${path}/poll`, { body: { deviceCode } });
}

test('a machine that was approved gets one API key, of whoever approved, named as they chose', async () => {
  const { userId, token } = await world.join('dev@example.com', 'developer');
  const { status, json: asked } = await ask();
  expect([status, asked.expiresAt, asked.intervalSeconds]).toEqual([201, '2030-01-01T00:10:00Z', 3]);
  expect(asked.userCode).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
  expect([asked.url, asked.urlWithCode]).toEqual([
    'https://slipway.example/sign-in/device',
    `https://slipway.example/sign-in/device?code=${asked.userCode}`,
  ]);
  expect((await poll(asked.deviceCode)).json.state).toBe('Pending');
  expect((await fetchKey(asked.deviceCode)).status).toBe(409);

  const seen = await lookUp(token, asked.userCode.toLowerCase().replace('-', ' '));
  expect(seen.json).toMatchObject({ name: 'build-7', isSameSource: true, source: expect.any(String) });
  expect((await approve(token, asked.userCode)).status).toBe(201);
  expect((await poll(asked.deviceCode)).json.state).toBe('Approved');

  const made = await fetchKey(asked.deviceCode);
  expect([made.status, made.json]).toEqual([
    201,
    expect.objectContaining({
      userID: userId,
      name: 'from the terminal',
      role: 'developer',
      device: 'build-7',
    }),
  ]);
  expect((await world.get(made.json.token, '/me')).user.id).toBe(userId);
  expect((await fetchKey(asked.deviceCode)).status).toBe(404);
  const { items } = await world.get(token, '/workspaces/default/api-keys');
  expect(items.find(({ id }: { id: string }) => id === made.json.id)).toMatchObject({ device: 'build-7' });
});

test('of several requests with its code, on any replica, one gets a key', async () => {
  const replica = await accountsApiOver(world.kube, { clock });
  const { json } = await ask();
  await approve(admin, json.userCode);
  expect((await poll(json.deviceCode, replica)).json.state).toBe('Approved');
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => fetchKey(json.deviceCode, n % 2 ? world : replica)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404, 404]);
  expect((await world.kube.list(apiKeyType)).items).toHaveLength(1);
  await replica.api.close();
});

test('a lost answer is given again to the same request', async () => {
  const { json } = await ask();
  await approve(admin, json.userCode);
  const body = { deviceCode: json.deviceCode };
  const request = { body, headers: { 'Idempotency-Key': 'one' } };
  const [first, again] = [
    await world.ask(null, `${path}/api-key`, request),
    await world.ask(null, `${path}/api-key`, request),
  ];
  expect([again.status, again.json.token]).toEqual([201, first.json.token]);
});

test('a machine whose key could not be made gets it when it repeats the request, and no other one does', async () => {
  const { json } = await ask();
  await approve(admin, json.userCode);
  const body = { deviceCode: json.deviceCode };
  const repeat = () => world.ask(null, `${path}/api-key`, { body, headers: { 'Idempotency-Key': 'one' } });
  const error = new AppError('Unavailable', 'kube-apiserver did not answer');
  world.kube.failNext({ verb: 'create', kind: 'ApiKey', error });
  expect((await repeat()).status).toBe(503);
  expect((await fetchKey(json.deviceCode)).status).toBe(404);
  const { status, json: made } = await repeat();
  expect([status, (await world.get(made.token, '/me')).user.id]).toEqual([201, 'admin']);
  expect((await fetchKey(json.deviceCode)).status).toBe(404);
  expect((await world.kube.list(apiKeyType)).items).toHaveLength(1);
});

test('a machine that was denied gets nothing, and nobody can change the answer', async () => {
  const { json } = await ask();
  expect((await deny(admin, json.userCode)).status).toBe(204);
  expect((await poll(json.deviceCode)).json.state).toBe('Denied');
  expect((await fetchKey(json.deviceCode)).status).toBe(403);
  const { status, json: refused } = await approve(admin, json.userCode);
  expect([status, refused.message]).toEqual([409, expect.stringContaining('answered already')]);
});

test('nothing is left of it after ten minutes', async () => {
  const [waiting, approved] = [(await ask()).json, (await ask()).json];
  await approve(admin, approved.userCode);
  clock.advance(10 * 60_000);
  expect((await fetchKey(approved.deviceCode)).status).toBe(404);
  expect((await poll(waiting.deviceCode)).status).toBe(404);
  const { status, json } = await lookUp(admin, waiting.userCode);
  expect([status, json.message]).toEqual([404, expect.stringContaining('slipway login')]);
});

test.each([
  ['a higher role than their own', { role: 'admin' }],
  ['permissions that they lack', { role: 'owner', permissions: ['workspaces:delete'] }],
])('nobody gives a machine %s', async (_what, more) => {
  const dev = await world.join('dev@example.com', 'developer');
  const { json } = await ask();
  expect((await approve(dev.token, json.userCode, more)).status).toBe(403);
  expect((await poll(json.deviceCode)).json.state).toBe('Pending');
});

test('a narrow key gives no more than it has itself', async () => {
  const permissions = ['account:read', 'api-keys:write'];
  const { token } = await world.post(admin, '/workspaces/default/api-keys', {
    name: 'narrow',
    role: 'developer',
    permissions,
  });
  const { json } = await ask();
  expect((await approve(token, json.userCode)).status).toBe(403);
  expect((await approve(token, json.userCode, { permissions })).status).toBe(201);
});

test('the key has the role that its user has when it is made; whoever left gives none', async () => {
  const dev = await world.join('dev@example.com', 'developer');
  const [first, second] = [(await ask()).json, (await ask()).json];
  await approve(dev.token, first.userCode);
  await approve(dev.token, second.userCode);
  const membership = `/workspaces/default/memberships/${dev.userId}`;
  await world.ask(admin, membership, { method: 'PUT', body: { role: 'viewer' } });
  expect((await fetchKey(first.deviceCode)).json.role).toBe('viewer');
  await world.ask(admin, membership, { method: 'DELETE' });
  expect((await fetchKey(second.deviceCode)).status).toBe(403);
});

test('a machine that asks too often has to slow down', async () => {
  const { json } = await ask();
  await poll(json.deviceCode);
  const { status, headers } = await world.ask(null, `${path}/poll`, {
    body: { deviceCode: json.deviceCode },
  });
  expect([status, headers.get('Retry-After')]).toEqual([429, '3']);
  expect((await poll(json.deviceCode)).status).toBe(200);
});

test('an address asks for few codes at a time, and a user tries few', async () => {
  const { json } = await ask();
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask()));
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(1);
  const dev = await world.join('dev@example.com', 'developer');
  const tries = [];
  for (let n = 0; n < 11; n += 1) tries.push((await lookUp(dev.token, 'BBBB-BBBB')).status);
  expect(tries).toEqual([...Array(10).fill(404), 429]);
  expect((await approve(dev.token, json.userCode)).status).toBe(429);
  clock.advance(60_000);
  expect((await approve(dev.token, json.userCode)).status).toBe(201);
});

test('looking up a code of their own gives a user no attempts for those of others', async () => {
  const { json } = await ask();
  const dev = await world.join('dev@example.com', 'developer');
  const tries = [];
  for (let n = 0; n < 12; n += 1) {
    tries.push((await lookUp(dev.token, 'BBBB-BBBB')).status);
    await lookUp(dev.token, json.userCode);
    // So that the look-ups of this source are not used up.
    clock.advance(200);
  }
  expect(tries.filter((status) => status === 404)).toHaveLength(10);
});

test('a wrong secret learns nothing, and changes nothing', async () => {
  const { json } = await ask();
  await approve(admin, json.userCode);
  expect((await poll(`${json.deviceCode}x`)).status).toBe(404);
  expect((await fetchKey(`${json.deviceCode}x`)).status).toBe(404);
  expect((await fetchKey(json.deviceCode)).status).toBe(201);
});

test('the page of another site approves nothing', async () => {
  const headers = await browserOf(world, 'admin', clock.nowMs());
  const { json } = await ask();
  const body = { userCode: json.userCode, name: 'evil', role: 'owner' };
  const evil = { ...headers, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  const other = await world.ask(null, '/workspaces/default/device-sign-ins', { body, headers: evil });
  expect(other.status).toBe(403);
  expect((await world.ask(null, '/workspaces/default/device-sign-ins', { body, headers })).status).toBe(201);
});

test('its codes and the key are in their answers alone', async () => {
  const { json } = await ask();
  await approve(admin, json.userCode);
  const during = JSON.stringify([await world.kube.list(signInTicketType), world.api.audits]);
  const made = await fetchKey(json.deviceCode);
  const after = JSON.stringify([await world.kube.list(apiKeyType), world.api.audits]);
  for (const secret of [json.deviceCode.split('.')[1], json.userCode]) expect(during).not.toContain(secret);
  expect(after).not.toContain(made.json.secret);
});

test('who asked, approved and got a key is audited', async () => {
  const { json } = await ask();
  await approve(admin, json.userCode);
  await poll(json.deviceCode);
  const { json: made } = await fetchKey(json.deviceCode);
  expect(world.api.audits.slice(-3)).toEqual([
    expect.objectContaining({ operation: 'createDeviceSignIn', objects: 'sign-in of the machine build-7' }),
    expect.objectContaining({ operation: 'approveDeviceSignIn', user: 'admin' }),
    expect.objectContaining({
      operation: 'createDeviceApiKey',
      objects: `API key ${made.id} of admin for the machine build-7`,
    }),
  ]);
});

test('there is none where nobody can sign in with a browser', async () => {
  const plain = await startAccountsApi({ clock, publicUrl: 'http://slipway.example' });
  const { status, json } = await ask('build-7', plain);
  expect([status, json.message]).toEqual([403, expect.stringContaining('needs TLS')]);
  await plain.api.close();
});
