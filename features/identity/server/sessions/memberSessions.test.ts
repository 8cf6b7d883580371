import { openEvents } from '../../../../apiserver/events/testing/client.ts';
import {
  type AccountsApi,
  admin,
  type Person,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { eventually } from '../../../../apiserver/testing/eventually.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { sessionType } from '../../api/resources/session.ts';
import { browserOf } from '../../testing/sessions.ts';

/** Sessions that no API key opened. */

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
let dev: Person;
let headers: Awaited<ReturnType<typeof browserOf>>;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
  dev = await world.join('dev@example.com', 'developer');
  headers = await browserOf(world, dev.userId, clock.nowMs());
});
afterEach(() => world.api.close());

const inWorkspace = (workspace: string, path = '/me') =>
  world.ask(null, path, { headers: { ...headers, 'X-Workspace-ID': workspace } });

test('a session without an API key has what its user may do in each workspace', async () => {
  const own = await world.ask(null, '/me', { headers });
  expect(own.json).toMatchObject({
    user: { id: dev.userId },
    role: 'owner',
    workspace: { id: dev.personal },
  });
  expect([own.json.apiKeyID, typeof own.json.sessionID]).toEqual([undefined, 'string']);
  expect((await inWorkspace('default')).json.role).toBe('developer');
  const elsewhere = await inWorkspace('nowhere');
  expect([elsewhere.status, elsewhere.json.message]).toEqual([404, 'workspace not found: check the id']);
});

test('a lost or changed membership counts at once', async () => {
  const membership = `/workspaces/default/memberships/${dev.userId}`;
  await world.ask(admin, membership, { method: 'PUT', body: { role: 'viewer' } });
  expect((await inWorkspace('default')).json.role).toBe('viewer');
  const refused = await world.ask(null, '/v1alpha/networks', {
    headers: { ...headers, 'X-Workspace-ID': 'default' },
    body: { name: 'n', spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'k' } } } } },
  });
  expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('your role')]);
  await world.ask(admin, membership, { method: 'DELETE' });
  expect((await inWorkspace('default')).status).toBe(404);
  expect((await world.ask(null, '/me', { headers })).status).toBe(200);
});

test('a stream of events ends with the membership, and no other stream of the user', async () => {
  const open = (workspace: string) =>
    openEvents(world.api.url, { headers: { ...headers, 'X-Workspace-ID': workspace } });
  const [there, own] = [await open('default'), await open(dev.personal)];
  await Promise.all([there, own].map((stream) => stream.saw('stream.ready')));
  let hasOwnEnded = false;
  void own.ended.then(() => {
    hasOwnEnded = true;
  });
  await world.ask(admin, `/workspaces/default/memberships/${dev.userId}`, { method: 'DELETE' });
  clock.advance(1000);
  await there.ended;
  expect((await world.ask(null, '/me', { headers })).status).toBe(200);
  expect(hasOwnEnded).toBe(false);
});

test('it ends with its user, also when another user gets the same id', async () => {
  const place = { namespace: 'slipway-system', name: dev.userId };
  const user = await world.kube.get(userType, place);
  if (!user) throw new Error('the user is gone');
  await world.kube.delete(userType, place);
  const { uid: _uid, resourceVersion: _version, ...metadata } = user.metadata;
  await world.kube.create(userType, { ...user, metadata });
  await eventually(
    () => world.ask(null, '/me', { headers }),
    ({ status }) => status === 401,
  );
});

test('its audit lines have the session in place of the key', async () => {
  const [session] = (await world.kube.list(sessionType)).items;
  await world.ask(null, '/sessions/current', { method: 'DELETE', headers });
  expect(world.api.audits.at(-1)).toMatchObject({ user: dev.userId, session: session?.metadata.name });
  expect(world.api.audits.at(-1)).not.toHaveProperty('apiKey');
});

test('a stream of a browser that signs out ends within seconds', async () => {
  const browser = { 'Sec-Fetch-Site': 'same-origin' };
  const body = { apiKey: 'bootstrap.secret-of-bootstrap' };
  const opened = await world.ask(null, '/sessions', { body, headers: browser });
  const [cookie = ''] = (opened.headers.getSetCookie()[0] ?? '').split(';');
  const client = await openEvents(world.api.url, { headers: { ...browser, cookie } });
  await client.saw('stream.ready');
  const end = { method: 'DELETE', headers: { ...browser, cookie } };
  expect((await world.ask(null, '/sessions/current', end)).status).toBe(204);
  clock.advance(2000);
  await client.ended;
});
