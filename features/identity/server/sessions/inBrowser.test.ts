import {
  type AccountsApi,
  accountsApiOver,
  admin,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { countsOf, sixteen } from '../../../../apiserver/testing/sixteen.ts';
import { together } from '../../../../apiserver/testing/together.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { sessionType } from '../../api/resources/session.ts';
import { ownPage } from '../../testing/sessions.ts';
import { createBrowser } from '../identities/testing/browser.ts';

/** Invitations that people accept in a browser. */

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
});
afterEach(() => world.api.close());

const list = '/workspaces/default/invitations';
const invite = (role = 'developer') => world.post(admin, list, { email: 'ada@example.com', role });

test('somebody without an account gets one, and a session in place of a key', async () => {
  const browser = createBrowser(world);
  const { token } = await invite();
  const joined = await browser.send('/invitations/accept', { body: { token, signIn: true } });
  expect([joined.status, joined.json.apiKey]).toEqual([200, undefined]);
  const me = await browser.me();
  expect(me).toMatchObject({ user: { id: joined.json.userID, emailVerified: false }, role: 'owner' });
  const there = await browser.send('/me', { headers: { 'X-Workspace-ID': 'default' } });
  expect(there.json.role).toBe('developer');
  const { items } = await world.kube.list(sessionType);
  expect(items.map(({ spec }) => [spec.method, spec.user])).toEqual([['link', joined.json.userID]]);
});

test('somebody who is signed in joins with their account', async () => {
  const dev = await world.join('dev@example.com', 'developer', { workspace: 'default' });
  const { id } = await world.post(admin, '/workspaces', { name: 'other' });
  const { token } = await world.post(admin, `/workspaces/${id}/invitations`, {
    email: 'x@example.com',
    role: 'viewer',
  });
  const browser = createBrowser(world);
  await browser.send('/sessions', { body: { apiKey: dev.token } });
  const joined = await browser.send('/invitations/accept', { body: { token, signIn: true } });
  expect([joined.status, joined.json.userID]).toEqual([200, dev.userId]);
});

test('cut off before the session, the invitation can be accepted again', async () => {
  const browser = createBrowser(world);
  const { token } = await invite();
  const error = new AppError('Unavailable', 'cut');
  world.kube.failNext({ verb: 'create', kind: 'Session', when: 'before', error });
  const body = { token, signIn: true };
  expect((await browser.send('/invitations/accept', { body })).status).toBe(503);
  expect((await browser.send('/invitations/accept', { body })).status).toBe(200);
  expect((await browser.me()).user.email).toBe('ada@example.com');
});

test('no session opens where its cookie would cross the network in plain text, and nothing is used up', async () => {
  const plain = await startAccountsApi({ clock, publicUrl: 'http://slipway.example' });
  const { token } = await plain.post(admin, list, { email: 'ada@example.com', role: 'viewer' });
  const accept = (body: object) => plain.ask(null, '/invitations/accept', { body });
  expect((await accept({ token, signIn: true })).status).toBe(403);
  expect((await accept({ token })).status).toBe(200);
  await plain.api.close();
});

test("another site's page accepts nothing in somebody's name", async () => {
  const dev = await world.join('dev@example.com', 'developer');
  const browser = createBrowser(world);
  await browser.send('/sessions', { body: { apiKey: dev.token } });
  const { token } = await invite();
  const headers = { 'Sec-Fetch-Site': 'cross-site' };
  const answer = await browser.send('/invitations/accept', { body: { token, signIn: true }, headers });
  expect(answer.status).toBe(403);
  // Nor does it sign a browser in to an account of its own.
  const stranger = createBrowser(world);
  const forced = await stranger.send('/invitations/accept', { body: { token, signIn: true }, headers });
  expect([forced.status, stranger.jar.size]).toEqual([403, 0]);
});

test('of sixteen attempts at once, over two replicas, one gets a session', async () => {
  const replica = await accountsApiOver(world.kube, { clock });
  const { token } = await invite();
  together(world, { verb: 'get', kind: 'Invitation', count: 16 });
  const answers = await sixteen([world, replica], (of) =>
    of.ask(null, '/invitations/accept', { body: { token, signIn: true }, headers: ownPage }),
  );
  expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
  expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toHaveLength(1);
  expect((await world.kube.list(sessionType)).items).toHaveLength(1);
  await replica.api.close();
});
