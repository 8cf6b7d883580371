import { HDNodeWallet } from 'ethers';
import {
  type AccountsApi,
  accountsApiOver,
  admin,
  type Person,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { createLaggingKube } from '../../../../apiserver/testing/laggingKube.ts';
import { countsOf, sixteen } from '../../../../apiserver/testing/sixteen.ts';
import { together } from '../../../../apiserver/testing/together.ts';
import { apiKeyType, userType } from '../../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { identityType } from '../../api/resources/identity.ts';
import { passkeyType } from '../../api/resources/passkey.ts';
import { sessionType } from '../../api/resources/session.ts';
import { signInTicketType } from '../../api/resources/ticket.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { ownPage } from '../../testing/sessions.ts';

/** What counts once in a sign-in: of sixteen uses at once, over two replicas, one gets something. */

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
let replica: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
  replica = await accountsApiOver(world.kube, { clock });
});
afterEach(() => Promise.all([world.api.close(), replica.api.close()]));

const send = (path: string, body: unknown) =>
  sixteen([world, replica], (of) => of.ask(null, path, { body, headers: ownPage }));
const cookiesIn = (answers: readonly { headers: Headers }[]) =>
  answers.flatMap(({ headers }) => headers.getSetCookie());
const sessions = async () => (await world.kube.list(sessionType)).items;

test('a sign-in link of the first key opens one session', async () => {
  const { url } = (await world.ask(admin, '/sign-in-links', { method: 'POST' })).json;
  const answers = await send('/sign-in/link', { token: new URL(url).hash.slice(1) });
  expect(countsOf(answers)).toEqual({ 201: 1, 401: 15 });
  expect([cookiesIn(answers).length, (await sessions()).length]).toEqual([1, 1]);
});

test('the code of a machine gives one API key', async () => {
  const { deviceCode, userCode } = (await world.ask(null, '/device-sign-ins', { body: { name: 'm' } })).json;
  const approval = { userCode, name: 'k', role: 'viewer' };
  await world.post(admin, '/workspaces/default/device-sign-ins', approval);
  const answers = await send('/device-sign-ins/api-key', { deviceCode });
  expect(countsOf(answers)).toEqual({ 201: 1, 404: 15 });
  expect((await world.kube.list(apiKeyType)).items).toHaveLength(1);
});

test('a machine gets one answer, of whoever was first', async () => {
  const people: Person[] = [];
  for (let n = 0; n < 4; n += 1) people.push(await world.join(`u${n}@example.com`, 'developer'));
  const { userCode } = (await world.ask(null, '/device-sign-ins', { body: { name: 'm' } })).json;
  const approval = { body: { userCode, name: 'k', role: 'viewer' } };
  const answers = await sixteen([world, replica], (of, n) => {
    const { token = '' } = people[n % 4] ?? {};
    const isDenied = n % 3 === 0;
    return isDenied
      ? of.ask(token, '/device-sign-ins/deny', { body: { userCode } })
      : of.ask(token, '/workspaces/default/device-sign-ins', approval);
  });
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  expect(countsOf(answers)[409]).toBe(15);
  const tickets = (await world.kube.list(signInTicketType)).items;
  expect(tickets.filter(({ spec }) => spec.purpose === 'deviceAnswer')).toHaveLength(1);
});

test('a signature of a wallet opens one session', async () => {
  const wallet = HDNodeWallet.fromPhrase('test test test test test test test test test test test junk');
  const sign = async (path: string, token: string | null) => {
    const { json } = await world.ask(token, path, { body: { address: wallet.address }, headers: ownPage });
    return { challenge: json.challenge, signature: await wallet.signMessage(json.message) };
  };
  await world.post(admin, '/identities', { wallet: await sign('/identities/wallet', admin) });
  const answers = await send('/sign-in/wallet', await sign('/sign-in/wallet/challenge', null));
  expect(countsOf(answers)).toEqual({ 201: 1, 401: 15 });
  expect([cookiesIn(answers).length, (await sessions()).length]).toEqual([1, 1]);
});

describe('of a passkey', () => {
  const options = () => world.get(admin, '/passkeys/options');

  it('an answer opens one session', async () => {
    const laptop = createAuthenticator();
    await world.post(admin, '/passkeys', { name: 'laptop', credential: laptop.create(await options()) });
    const answer = laptop.get((await world.ask(null, '/sign-in/passkey')).json);
    const answers = await send('/sign-in/passkey', answer);
    expect(countsOf(answers)).toEqual({ 201: 1, 401: 15 });
    expect([cookiesIn(answers).length, (await sessions()).length]).toEqual([1, 1]);
  });

  it('an enrolment counts once, also after it was removed', async () => {
    const body = { name: 'laptop', credential: createAuthenticator().create(await options()) };
    const enrol = (of: AccountsApi) => of.ask(admin, '/passkeys', { body });
    const answers = await sixteen([world, replica], enrol);
    expect(countsOf(answers)).toEqual({ 201: 1, 409: 15 });
    const [stored] = (await world.kube.list(passkeyType)).items;
    await world.ask(admin, `/passkeys/${stored?.metadata.name}`, { method: 'DELETE' });
    expect((await enrol(replica)).status).toBe(409);
    expect((await world.kube.list(passkeyType)).items).toEqual([]);
  });
});

test('the first API key is revoked once', async () => {
  const owner = await world.join('owner@example.com', 'owner');
  const path = '/workspaces/default/api-keys/bootstrap';
  together(world, { verb: 'replace', kind: 'User', count: 2 });
  const answers = await sixteen([world, replica], (of) => of.ask(owner.token, path, { method: 'DELETE' }));
  expect(countsOf(answers)).toEqual({ 204: 1, 404: 15 });
});

test('the first API key is not revoked by whoever has just lost the only other way in', async () => {
  const owner = await world.join('owner@example.com', 'owner');
  const lagging = createLaggingKube(world.kube);
  const behind = await accountsApiOver(lagging.kube, { clock });
  const release = lagging.hold();
  const member = `/workspaces/default/memberships/${owner.userId}`;
  expect((await world.ask(admin, member, { method: 'DELETE' })).status).toBe(204);
  const path = '/workspaces/default/api-keys/bootstrap';
  expect((await behind.ask(admin, path, { method: 'DELETE' })).status).toBe(409);
  release();
  await behind.api.close();
});

test.each(['of an account', 'of the installation'])(
  'a sign-in link ends with the first API key %s, also at a replica that has not heard of it',
  async (whose) => {
    const owner = await world.join('owner@example.com', 'owner');
    const isAccount = whose === 'of an account';
    const by = isAccount ? owner.token : admin;
    const { url } = (await world.ask(by, '/sign-in-links', { method: 'POST' })).json;
    const lagging = createLaggingKube(world.kube);
    const behind = await accountsApiOver(lagging.kube, { clock });
    expect((await behind.ask(by, '/me')).status).toBe(200);
    const release = lagging.hold();
    const [keyId] = by.split('.');
    const key = isAccount
      ? { namespace: 'slipway-system', name: keyId ?? '' }
      : { namespace: 'slipway-system', name: 'admin' };
    if (isAccount) await world.kube.delete(apiKeyType, key);
    else {
      const status = { bootstrapKey: { revokedAt: '2030-01-01T00:00:00Z' } };
      await world.kube.patch(userType, key, { status }, 'status');
    }
    const body = { token: new URL(url).hash.slice(1) };
    expect((await behind.ask(null, '/sign-in/link', { body, headers: ownPage })).status).toBe(401);
    expect(await sessions()).toEqual([]);
    release();
    await behind.api.close();
  },
);

test('identities that are linked at the same moment do not exceed the quota', async () => {
  const { userId, token } = await world.join('ada@example.com', 'developer');
  const { kube } = world;
  const user = await kube.get(userType, { namespace: 'slipway-system', name: userId });
  const uid = user?.metadata.uid ?? '';
  const owner = { apiVersion: 'slipway.dev/v1alpha1', kind: 'User', name: userId, uid };
  for (let n = 0; n < 18; n += 1)
    kube.seed(identityType, {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Identity',
      metadata: { name: `oidc-${n}`, namespace: 'slipway-system', ownerReferences: [owner] },
      spec: { user: userId, oidc: { issuer: 'https://id.example', subject: `${n}` } },
    });
  const proofs = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const wallet = HDNodeWallet.createRandom();
      const body = { address: wallet.address };
      const { json } = await world.ask(token, '/identities/wallet', { body });
      return { challenge: json.challenge, signature: await wallet.signMessage(json.message) };
    }),
  );
  together(world, { verb: 'create', kind: 'Identity', count: 6 });
  await Promise.all(proofs.map((wallet) => world.ask(token, '/identities', { body: { wallet } })));
  const { items } = await kube.list(identityType, { fieldSelector: `spec.user=${userId}` });
  expect(items.length).toBeLessThanOrEqual(20);
});
