import {
  type AccountsApi,
  accountsApiOver,
  admin,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { identityType } from '../../api/resources/identity.ts';
import { oidcSettingsSchema } from '../../api/settings.ts';
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from '../oidc/testing/identityProvider.ts';
import { createBrowser } from './testing/browser.ts';

const redirectUri = 'https://slipway.example/sign-in/callback';
const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let real: IdentityProvider;
let world: AccountsApi;
beforeAll(async () => {
  real = await startIdentityProvider(redirectUri);
});
afterAll(() => real.close());
afterEach(() => world.api.close());

function signInOf(given: object, secret = clientSecret) {
  const provider = {
    name: 'staff',
    title: 'Staff',
    issuer: real.issuer,
    clientId,
    allowHttp: true,
    ...given,
  };
  const oidc = oidcSettingsSchema.parse({ providers: [provider] });
  return { oidc, readClientSecret: () => secret };
}

async function start(given: object = {}, secret = clientSecret) {
  world = await startAccountsApi({ clock, signIn: signInOf(given, secret) });
  return createBrowser(world);
}

const ada = { sub: 'ada', email: 'Ada@Example.com', email_verified: true, name: 'Ada Lovelace' };
const trusted = { trustEmail: true };

async function invite(email: string, role = 'developer') {
  return world.post(admin, '/workspaces/default/invitations', { email, role });
}

describe('whoever has no account', () => {
  test('is told how to get one, and nothing is created', async () => {
    const browser = await start();
    const { status, json, headers } = await browser.finish(await browser.visit(real, ada));
    expect([status, json.message]).toEqual([403, expect.stringContaining('open the link of an invitation')]);
    expect(headers.getSetCookie().join()).not.toContain('slipway-session=');
    expect((await world.kube.list(userType)).items).toHaveLength(1);
    expect((await world.kube.list(identityType)).items).toEqual([]);
  });

  test.each([
    ['any', { signUp: 'any' }, { sub: 'x' }, 201],
    ['the domains', { signUp: 'domains', domains: ['example.com'] }, ada, 201],
    ['other domains', { signUp: 'domains', domains: ['example.org'] }, ada, 403],
    ['a domain that ends alike', { signUp: 'domains', domains: ['ample.com'] }, ada, 403],
    [
      'the domains, with an address that is not verified',
      { signUp: 'domains', domains: ['example.com'] },
      { ...ada, sub: 'unverified', email_verified: false },
      403,
    ],
  ])('may sign up as the provider is set to %s', async (_what, settings, who, expected) => {
    const browser = await start(settings);
    const { status } = await browser.finish(await browser.visit(real, who));
    expect(status).toBe(expected);
  });

  test('gets one account however often they sign in, with a workspace of their own', async () => {
    const browser = await start({ signUp: 'any', ...trusted });
    const first = await browser.finish(await browser.visit(real, ada, { next: '/networks/new' }));
    expect(first.json).toMatchObject({ method: 'oidc', next: '/networks/new' });
    const me = await browser.me();
    expect(me).toMatchObject({
      user: { email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
      role: 'owner',
      sessionID: first.json.id,
    });
    const elsewhere = createBrowser(world);
    await elsewhere.finish(await elsewhere.visit(real, ada));
    expect((await elsewhere.me()).user.id).toBe(me.user.id);
  });

  test('gets none beyond the quota of accounts', async () => {
    world = await startAccountsApi({ clock, signIn: signInOf({ signUp: 'any' }), quota: { accounts: 1 } });
    const browser = createBrowser(world);
    const { status, json } = await browser.finish(await browser.visit(real, ada));
    expect([status, json.message]).toEqual([403, expect.stringContaining('quota.accounts')]);
  });
});

describe('an invitation', () => {
  test('is accepted with the sign-in, which proves the invited address', async () => {
    const browser = await start(trusted);
    const { token } = await invite('ada@example.com');
    const done = await browser.finish(await browser.visit(real, ada, { invitation: token }));
    expect(done.json.workspaceID).toBe('default');
    const me = await browser.me();
    expect(me.user).toMatchObject({ email: 'ada@example.com', emailVerified: true });
    const elsewhere = createBrowser(world);
    await elsewhere.finish(await elsewhere.visit(real, ada));
    expect((await elsewhere.me()).user.id).toBe(me.user.id);
  });

  test.each([
    ['another address', trusted, ada, 'ben@example.com'],
    ['a provider that is not trusted for it', {}, ada, 'ada@example.com'],
    ['an address that is not verified', trusted, { ...ada, email_verified: false }, 'ada@example.com'],
  ])('is accepted with %s, and its address stays unverified', async (_what, settings, who, invited) => {
    const browser = await start(settings);
    const { token } = await invite(invited);
    expect((await browser.finish(await browser.visit(real, who, { invitation: token }))).status).toBe(201);
    expect((await browser.me()).user).toMatchObject({ email: invited, emailVerified: false });
  });

  test('adds whoever is linked already to the workspace', async () => {
    const browser = await start({ signUp: 'any' });
    await browser.finish(await browser.visit(real, ada));
    const { user } = await browser.me();
    const { token } = await invite('whoever@example.com', 'viewer');
    const done = await browser.finish(await browser.visit(real, ada, { invitation: token }));
    expect(done.json).toMatchObject({ userID: user.id, workspaceID: 'default' });
  });

  test('that is wrong is refused before the provider', async () => {
    const browser = await start();
    await expect(browser.visit(real, ada, { invitation: 'nonsense' })).rejects.toThrow('no invitation has');
  });
});

describe('the e-mail address', () => {
  test('signs in whoever has proven to own it', async () => {
    const browser = await start(trusted);
    const { token } = await invite('ada@example.com');
    await browser.finish(await browser.visit(real, ada, { invitation: token }));
    const other = { ...ada, sub: 'ada-at-another-account' };
    const elsewhere = createBrowser(world);
    await elsewhere.finish(await elsewhere.visit(real, other));
    expect((await elsewhere.me()).user.id).toBe((await browser.me()).user.id);
  });

  test('never signs in to an account that only states it: somebody else may have made it', async () => {
    const browser = await start(trusted);
    await world.join('ada@example.com', 'developer');
    expect((await browser.finish(await browser.visit(real, ada))).status).toBe(403);
  });

  test.each([
    ['the provider has not verified', { ...ada, sub: 'eve', email_verified: false }, trusted],
    ['of a provider that is not trusted for it', { ...ada, sub: 'eve' }, {}],
  ])('that %s signs nobody in', async (_what, who, settings) => {
    await start(trusted);
    const { kube } = world;
    const { token } = await invite('ada@example.com');
    const first = createBrowser(world);
    await first.finish(await first.visit(real, ada, { invitation: token }));
    await world.api.close();
    world = await accountsApiOver(kube, { clock, signIn: signInOf(settings) });
    const browser = createBrowser(world);
    expect((await browser.finish(await browser.visit(real, who))).status).toBe(403);
  });
});

describe('an attempt', () => {
  test('counts once, and in the browser that began it', async () => {
    const browser = await start({ signUp: 'any' });
    const callback = await browser.visit(real, ada);
    const stranger = await createBrowser(world).finish(callback);
    expect([stranger.status, stranger.json.message]).toEqual([401, expect.stringContaining('not begun in')]);
    expect((await browser.finish(callback)).status).toBe(201);
    expect((await browser.finish(callback)).status).toBe(401);
  });

  test('ends after ten minutes', async () => {
    const browser = await start({ signUp: 'any' });
    const callback = await browser.visit(real, ada);
    clock.advance(600_000);
    expect((await browser.finish(callback)).status).toBe(401);
  });

  test('does not disturb those of other tabs', async () => {
    const browser = await start({ signUp: 'any' });
    const [first, second] = [await browser.visit(real, ada), await browser.visit(real, ada)];
    expect((await browser.finish(first)).status).toBe(201);
    expect((await browser.finish(second)).status).toBe(201);
  });

  test('leaves few cookies behind, however many are begun', async () => {
    const browser = await start();
    for (let count = 0; count < 9; count += 1) await browser.visit(real, ada);
    expect(browser.jar.size).toBe(5);
  });

  test('is nothing for another site', async () => {
    await start();
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await world.ask(null, '/sign-in/oidc/staff', { body: {}, headers })).status).toBe(403);
  });

  test('cannot return to another host', async () => {
    const browser = await start();
    for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example'])
      expect((await browser.send('/sign-in/oidc/staff', { body: { next } })).status).toBe(400);
  });
});

describe('failures', () => {
  test('of somebody who says no say what to do, without the words of the provider', async () => {
    const browser = await start();
    const { status, json } = await browser.finish(await browser.visit(real, 'refuse'));
    expect([status, json.message]).toEqual([403, expect.stringContaining('Staff did not let you in')]);
  });

  test('of a provider that is down are its own: the service runs', async () => {
    const browser = await start({ issuer: 'http://127.0.0.1:9' });
    const { status, json } = await browser.send('/sign-in/oidc/staff', { body: {} });
    expect([status, json.message]).toEqual([503, expect.stringContaining('Staff does not answer')]);
    expect((await world.ask(admin, '/me')).status).toBe(200);
  });

  test('of a wrong client secret are for the administrator', async () => {
    const browser = await start({}, 'wrong');
    const { status, json } = await browser.finish(await browser.visit(real, ada));
    expect([status, json.message]).toEqual([503, expect.stringContaining('client id and secret')]);
  });

  test('of an answer that was tampered with sign nobody in', async () => {
    const browser = await start({ signUp: 'any' });
    const callback = (await browser.visit(real, ada)).replace(/code=[^&]+/, 'code=forged');
    expect((await browser.finish(callback)).status).toBe(401);
    expect(world.api.audits.at(-1)).toMatchObject({
      event: 'failed sign-in',
      operation: 'createOidcSession',
    });
  });

  test('there is no provider of another name', async () => {
    const browser = await start();
    expect((await browser.send('/sign-in/oidc/other', { body: {} })).status).toBe(404);
  });
});

describe('linking', () => {
  async function signedIn() {
    const browser = await start();
    const signIn = await browser.send('/sessions', { body: { apiKey: admin } });
    expect(signIn.status).toBe(201);
    return browser;
  }
  const attempt = '/identities/oidc/staff';

  test('lets a user who is signed in sign in there from then on, until it is unlinked', async () => {
    const browser = await signedIn();
    const linked = await browser.link(await browser.visit(real, ada, {}, attempt));
    expect(linked.json).toMatchObject({ userID: 'admin', type: 'oidc', provider: 'staff' });
    const { items } = (await browser.send('/identities')).json;
    expect(items).toMatchObject([{ id: linked.json.id, email: 'ada@example.com' }]);
    const elsewhere = createBrowser(world);
    await elsewhere.finish(await elsewhere.visit(real, ada));
    expect((await elsewhere.me()).user.id).toBe('admin');
    const unlinked = await browser.send(`/identities/${linked.json.id}`, { method: 'DELETE' });
    expect(unlinked.status).toBe(204);
    expect((await elsewhere.finish(await elsewhere.visit(real, ada))).status).toBe(403);
  });

  test.each([{}, { signUp: 'any' }])(
    'ends where the e-mail address is trusted, too, until it is linked again: %j',
    async (settings) => {
      const browser = await start({ ...trusted, ...settings });
      const { token } = await invite('ada@example.com');
      await browser.finish(await browser.visit(real, ada, { invitation: token }));
      const userId = (await browser.me()).user.id;
      const [{ id }] = (await browser.send('/identities')).json.items;
      expect((await browser.send(`/identities/${id}`, { method: 'DELETE' })).status).toBe(204);
      const elsewhere = createBrowser(world);
      const refused = await elsewhere.finish(await elsewhere.visit(real, ada));
      expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('link Staff')]);
      expect((await world.kube.list(userType)).items).toHaveLength(2);

      expect((await browser.link(await browser.visit(real, ada, {}, attempt))).status).toBe(201);
      await elsewhere.finish(await elsewhere.visit(real, ada));
      expect((await elsewhere.me()).user.id).toBe(userId);
    },
  );

  test('ends for whoever signed up there, too, once they have another way to sign in', async () => {
    const browser = await start({ signUp: 'any' });
    await browser.finish(await browser.visit(real, ada));
    const { workspace } = await browser.me();
    const key = { name: 'mine', role: 'owner' };
    expect((await browser.send(`/workspaces/${workspace.id}/api-keys`, { body: key })).status).toBe(201);
    const [{ id }] = (await browser.send('/identities')).json.items;
    expect((await browser.send(`/identities/${id}`, { method: 'DELETE' })).status).toBe(204);
    const elsewhere = createBrowser(world);
    expect((await elsewhere.finish(await elsewhere.visit(real, ada))).status).toBe(403);
    expect((await browser.send('/identities')).json.items).toEqual([]);
  });

  test('gives an account at the provider to one user only', async () => {
    const browser = await signedIn();
    await browser.link(await browser.visit(real, ada, {}, attempt));
    const dev = await world.join('dev@example.com', 'developer');
    const other = createBrowser(world);
    await other.send('/sessions', { body: { apiKey: dev.token } });
    const { status, json } = await other.link(await other.visit(real, ada, {}, attempt));
    expect([status, json.message]).toEqual([409, expect.stringContaining('another account')]);
    const [{ id }] = (await browser.send('/identities')).json.items;
    expect((await other.send(`/identities/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  test('is not a sign-in, and a sign-in links nothing', async () => {
    const browser = await signedIn();
    expect((await browser.finish(await browser.visit(real, ada, {}, attempt))).status).toBe(401);
    expect((await browser.link(await browser.visit(real, ada))).status).toBe(401);
  });

  test('needs all rights of the user: a limited key would get more by it', async () => {
    const browser = await start();
    const { token } = await world.post(admin, '/workspaces/default/api-keys', { name: 'x', role: 'viewer' });
    await browser.send('/sessions', { body: { apiKey: token } });
    const { status, json } = await browser.send(attempt, { method: 'POST' });
    expect([status, json.message]).toEqual([403, expect.stringContaining('narrower')]);
  });
});
