import {
  type AccountsApi,
  accountsApiOver,
  admin,
  type Person,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { passkeyType } from '../../api/resources/passkey.ts';
import { type Authenticator, createAuthenticator } from '../../testing/authenticator.ts';
import { browserOf, ownPage } from '../../testing/sessions.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
let dev: Person;
let laptop: Authenticator;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
  dev = await world.join('dev@example.com', 'developer');
  laptop = createAuthenticator();
});
afterEach(() => world.api.close());

async function enrol(token = dev.token, authenticator = laptop, name = 'laptop') {
  const options = await world.get(token, '/passkeys/options');
  return world.ask(token, '/passkeys', { body: { name, credential: authenticator.create(options) } });
}
const optionsOf = async (of = world) => (await of.ask(null, '/sign-in/passkey')).json;

async function signIn(body: unknown, headers: Record<string, string> = ownPage, of = world) {
  const answer = await of.ask(null, '/sign-in/passkey', { body, headers });
  return { ...answer, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}
const meIn = (cookie: string) => world.ask(null, '/me', { headers: { ...ownPage, Cookie: cookie } });

test('a passkey is enrolled by its user, and then signs that user in without a name', async () => {
  const { status, json } = await enrol();
  expect([status, json]).toEqual([201, expect.objectContaining({ kind: 'Passkey', name: 'laptop' })]);
  const session = await signIn(laptop.get(await optionsOf()));
  expect([session.status, session.json.method, session.json.userID]).toEqual([201, 'passkey', dev.userId]);
  expect((await meIn(session.cookie)).json).toMatchObject({ user: { id: dev.userId }, role: 'owner' });
  const { items } = await world.get(dev.token, '/passkeys');
  expect(items).toMatchObject([{ id: json.id, lastUsedAt: '2030-01-01T00:00:00Z' }]);
});

test('the options demand a passkey that names its user and verifies people', async () => {
  expect(await world.get(dev.token, '/passkeys/options')).toMatchObject({
    rp: { id: 'slipway.example' },
    user: { id: Buffer.from(dev.userId).toString('base64url'), name: 'dev@example.com' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  expect(await optionsOf()).toMatchObject({ rpId: 'slipway.example', userVerification: 'required' });
  await enrol();
  expect((await world.get(dev.token, '/passkeys/options')).excludeCredentials).toHaveLength(1);
});

describe('nobody signs in', () => {
  beforeEach(async () => {
    laptop.says.counter = 5;
    await enrol();
  });

  test.each<[string, (authenticator: Authenticator['says']) => void]>([
    [
      'with an answer to another site',
      (says) => {
        says.origin = 'https://evil.example';
      },
    ],
    [
      'without verification of the person',
      (says) => {
        says.isVerified = false;
      },
    ],
    [
      'with a counter that did not grow, as that of a copy',
      (says) => {
        says.counter = 5;
      },
    ],
    [
      'with another kind of authenticator',
      (says) => {
        says.canBackUp = false;
      },
    ],
  ])('%s', async (_what, change) => {
    laptop.says.counter = 6;
    change(laptop.says);
    const { status, cookie, json } = await signIn(laptop.get(await optionsOf()));
    expect([status, cookie]).toEqual([401, '']);
    expect(json.message).toContain('the passkey is not valid here');
    expect(world.api.audits.at(-1)).toMatchObject({
      event: 'failed sign-in',
      operation: 'signInWithPasskey',
    });
  });

  test('with a passkey that was never enrolled', async () => {
    const stranger = createAuthenticator();
    stranger.create(await world.get(dev.token, '/passkeys/options'));
    expect((await signIn(stranger.get(await optionsOf()))).status).toBe(401);
  });

  test('with the answer of a moment ago, on any replica', async () => {
    const replica = await accountsApiOver(world.kube, { clock });
    laptop.says.counter = 6;
    const answer = laptop.get(await optionsOf());
    expect((await signIn(answer)).status).toBe(201);
    expect((await signIn(answer)).status).toBe(401);
    expect((await signIn(answer, ownPage, replica)).status).toBe(401);
    await replica.api.close();
  });

  test('after five minutes, or with a challenge that is not ours', async () => {
    laptop.says.counter = 6;
    const options = await optionsOf();
    const forged = Buffer.from(options.challenge, 'base64url');
    forged[0] = (forged[0] ?? 0) ^ 1;
    const challenge = forged.toString('base64url');
    expect((await signIn(laptop.get({ ...options, challenge }))).status).toBe(401);
    const enrolment = await world.get(dev.token, '/passkeys/options');
    expect((await signIn(laptop.get({ ...options, challenge: enrolment.challenge }))).status).toBe(401);
    clock.advance(5 * 60_000);
    expect((await signIn(laptop.get(options))).status).toBe(401);
  });

  test("from another site's page", async () => {
    laptop.says.counter = 6;
    const evil = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await signIn(laptop.get(await optionsOf()), evil)).status).toBe(403);
  });
});

test('an authenticator that does not count is used again and again, by a new challenge each time', async () => {
  await enrol();
  const answers = [laptop.get(await optionsOf()), laptop.get(await optionsOf())];
  for (const answer of answers) expect((await signIn(answer)).status).toBe(201);
  const again = await Promise.all([1, 2, 3].map(() => signIn(answers[0])));
  expect(again.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('of several requests with one answer, one signs in', async () => {
  await enrol();
  const answer = laptop.get(await optionsOf());
  const all = await Promise.all([1, 2, 3, 4].map(() => signIn(answer)));
  expect(all.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401]);
});

test('removing a passkey ends the other sessions of its user, on this account alone', async () => {
  const { json } = await enrol();
  const phone = await signIn(laptop.get(await optionsOf()));
  const headers = await browserOf(world, dev.userId, clock.nowMs());
  const other = await browserOf(world, 'admin', clock.nowMs());
  const removed = await world.ask(null, `/passkeys/${json.id}`, { method: 'DELETE', headers });
  expect(removed.status).toBe(204);
  expect((await meIn(phone.cookie)).status).toBe(401);
  expect((await signIn(laptop.get(await optionsOf()))).status).toBe(401);
  expect((await world.ask(null, '/me', { headers })).status).toBe(200);
  expect((await world.ask(null, '/me', { headers: other })).status).toBe(200);
});

test('users rename and remove their own passkeys, and no others', async () => {
  const { json } = await enrol();
  const path = `/passkeys/${json.id}`;
  const other = await world.join('other@example.com', 'developer');
  expect((await world.ask(other.token, path, { method: 'PUT', body: { name: 'mine' } })).status).toBe(404);
  expect((await world.ask(other.token, path, { method: 'DELETE' })).status).toBe(404);
  expect((await world.get(other.token, '/passkeys')).items).toEqual([]);
  await world.ask(dev.token, path, { method: 'PUT', body: { name: 'old laptop' } });
  expect((await world.get(dev.token, '/passkeys')).items).toMatchObject([{ name: 'old laptop' }]);
});

test('a key that is narrower than its user enrols none', async () => {
  const { token } = await world.post(dev.token, '/workspaces/default/api-keys', {
    name: 'ci',
    role: 'developer',
  });
  const refused = await world.ask(token, '/passkeys/options');
  expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('narrower')]);
  const credential = laptop.create(await world.get(dev.token, '/passkeys/options'));
  expect((await world.ask(token, '/passkeys', { body: { name: 'x', credential } })).status).toBe(403);
});

test('a passkey is enrolled once, for the user who asked, and for this site', async () => {
  const options = await world.get(dev.token, '/passkeys/options');
  const body = { name: 'x', credential: laptop.create(options) };
  expect((await world.ask(admin, '/passkeys', { body })).status).toBe(400);
  expect((await world.ask(dev.token, '/passkeys', { body })).status).toBe(201);
  expect((await world.ask(dev.token, '/passkeys', { body })).status).toBe(409);
  expect((await enrol(dev.token, createAuthenticator('https://evil.example'))).status).toBe(400);
});

test('a user has at most 10', async () => {
  const answers = [];
  for (let n = 0; n < 11; n += 1) answers.push(await enrol(dev.token, createAuthenticator(), `${n}`));
  expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(201), 409]);
  expect((await world.kube.list(passkeyType)).items).toHaveLength(10);
});

test('there are none at an address without a domain', async () => {
  const bare = await startAccountsApi({ clock, publicUrl: 'https://192.0.2.1' });
  expect((await bare.ask(null, '/sign-in')).json).toMatchObject({
    methods: ['password', 'apiKey', 'link', 'wallet'],
  });
  expect((await bare.ask(null, '/sign-in/passkey')).status).toBe(403);
  await bare.api.close();
});
