import {
  type AccountsApi,
  accountsApiOver,
  admin,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { countsOf, sixteen } from '../../../../apiserver/testing/sixteen.ts';
import { together } from '../../../../apiserver/testing/together.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { identityType } from '../../api/resources/identity.ts';
import { sessionType } from '../../api/resources/session.ts';
import { oidcSettingsSchema } from '../../api/settings.ts';
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from '../oidc/testing/identityProvider.ts';
import { createBrowser } from './testing/browser.ts';

/** What a sign-in at a provider uses up counts once, on all replicas. */

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let real: IdentityProvider;
let world: AccountsApi;
let replica: AccountsApi;
beforeAll(async () => {
  real = await startIdentityProvider('https://slipway.example/sign-in/callback');
});
afterAll(() => real.close());
beforeEach(async () => {
  const provider = { name: 'staff', title: 'Staff', clientId, issuer: real.issuer, allowHttp: true };
  const oidc = oidcSettingsSchema.parse({ providers: [provider] });
  const signIn = { oidc, readClientSecret: () => clientSecret };
  world = await startAccountsApi({ clock, signIn });
  replica = await accountsApiOver(world.kube, { clock, signIn });
});
afterEach(() => Promise.all([world.api.close(), replica.api.close()]));

const invite = () =>
  world.post(admin, '/workspaces/default/invitations', { email: 'ada@example.com', role: 'developer' });
const members = async () => {
  const { items } = await world.get(admin, '/workspaces/default/memberships');
  return items.map(({ userID }: { userID: string }) => userID).filter((id: string) => id !== 'admin');
};

/** Somebody who has opened an invitation, been at the provider, and comes back to one of the replicas. */
async function arriving(sub: string, invitation: string, of = world) {
  const browser = createBrowser(of);
  return { browser, callback: await browser.visit(real, { sub }, { invitation }) };
}

describe('an invitation', () => {
  it('that several people accept at once makes one account, which only one of them signs in to', async () => {
    const { token } = await invite();
    const people = [];
    for (let n = 0; n < 6; n += 1) people.push(await arriving(`p${n}`, token, n % 2 ? world : replica));
    together(world, { verb: 'get', kind: 'Invitation', count: 6 });
    const answers = await Promise.all(people.map(({ browser, callback }) => browser.finish(callback)));
    expect(countsOf(answers)).toEqual({ 201: 1, 409: 5 });
    const [given] = answers.filter(({ status }) => status === 201).map(({ json }) => json);
    expect(await members()).toEqual([given.userID]);
    const identities = (await world.kube.list(identityType)).items;
    expect(identities.map(({ spec }) => spec.user)).toEqual([given.userID]);
    expect((await world.kube.list(userType)).items).toHaveLength(2);
  });

  it('that somebody accepts in several tabs at once is accepted once, and they sign in afterwards', async () => {
    const { token } = await invite();
    const tabs = [await arriving('ada', token), await arriving('ada', token, replica)];
    together(world, { verb: 'get', kind: 'Invitation', count: 2 });
    const answers = await Promise.all(tabs.map(({ browser, callback }) => browser.finish(callback)));
    expect(countsOf(answers)).toEqual({ 201: 1, 409: 1 });
    const [given] = answers.filter(({ status }) => status === 201).map(({ json }) => json);
    expect(await members()).toEqual([given.userID]);
    const browser = createBrowser(replica);
    const again = await browser.finish(await browser.visit(real, { sub: 'ada' }));
    expect([again.status, again.json.userID]).toEqual([201, given.userID]);
  });

  it('that is revoked while somebody accepts it gives them nothing to sign in with', async () => {
    const { id, token } = await invite();
    const { browser, callback } = await arriving('ada', token);
    const stop = world.kube.intercept(async ({ verb, kind }) => {
      if (verb !== 'create' || kind !== 'Membership') return;
      stop();
      const path = `/workspaces/default/invitations/${id}`;
      expect((await replica.ask(admin, path, { method: 'DELETE' })).status).toBe(204);
    });
    expect((await browser.finish(callback)).status).toBe(409);
    expect(await members()).toEqual([]);
    expect((await world.kube.list(identityType)).items).toEqual([]);
    const later = createBrowser(world);
    expect((await later.finish(await later.visit(real, { sub: 'ada' }))).status).toBe(403);
  });
});

it('of sixteen uses of one answer of the provider, over both replicas, one signs in', async () => {
  const owner = createBrowser(world);
  await owner.send('/sessions', { body: { apiKey: admin } });
  await owner.link(await owner.visit(real, { sub: 'ada' }, {}, '/identities/oidc/staff'));
  const before = (await world.kube.list(sessionType)).items.length;
  const browser = createBrowser(world);
  const callback = await browser.visit(real, { sub: 'ada' });
  const Cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie };
  const answers = await sixteen([world, replica], (of) =>
    of.ask(null, '/sign-in/oidc', { body: { callback }, headers }),
  );
  expect(countsOf(answers)).toEqual({ 201: 1, 401: 15 });
  expect((await world.kube.list(sessionType)).items).toHaveLength(before + 1);
});
