import { randomBytes } from 'node:crypto';
import { HDNodeWallet } from 'ethers';
import { noBudgetMetrics } from '../../../../apiserver/http/limits/budgetMetrics.ts';
import { createCallerLimits } from '../../../../apiserver/http/limits/callerLimits.ts';
import { type AccountsApi, accountsApiOver, admin } from '../../../../apiserver/testing/accountsApi.ts';
import { eventually } from '../../../../apiserver/testing/eventually.ts';
import { testLimits } from '../../../../apiserver/testing/harness.ts';
import { countsOf, sixteen } from '../../../../apiserver/testing/sixteen.ts';
import {
  apiKeyType,
  invitationType,
  membershipType,
  userType,
} from '../../../../core/api/resources/resources.ts';
import type { KubeClient } from '../../../../core/kube/client/client.ts';
import { namespaceType } from '../../../../core/kube/types.ts';
import { systemClock } from '../../../../core/lib/clock.ts';
import { createTestKube } from '../../../../hack/testenv/testKube.ts';
import { identityType } from '../../api/resources/identity.ts';
import { passkeyType } from '../../api/resources/passkey.ts';
import { passwordType } from '../../api/resources/password.ts';
import { sessionType } from '../../api/resources/session.ts';
import { signInTicketType } from '../../api/resources/ticket.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { ownPage } from '../../testing/sessions.ts';

/** What counts once, used sixteen times at once over two replicas on one real kube-apiserver. */

const namespace = `once-${randomBytes(4).toString('hex')}`;
const kubes = [createTestKube(), createTestKube()] as const;
const password = 'correct horse battery';
let one: AccountsApi<KubeClient>;
let two: AccountsApi<KubeClient>;

beforeAll(async () => {
  const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await kubes[0].create(namespaceType, made);
  const start = (kube: KubeClient) => {
    const limits = createCallerLimits({ ...testLimits, trustedProxies: 1 }, systemClock, noBudgetMetrics);
    return accountsApiOver(kube, { namespace, limits });
  };
  [one, two] = await Promise.all([start(kubes[0]), start(kubes[1])]);
  // kube-apiserver rejects kinds briefly after their CRDs are created.
  const isServed = (list: () => Promise<unknown>) => eventually(() => list().catch(() => undefined), Boolean);
  await isServed(() => kubes[0].list(invitationType, { namespace }));
  await isServed(() => kubes[0].list(sessionType, { namespace }));
  await isServed(() => kubes[0].list(identityType, { namespace }));
  await isServed(() => kubes[0].list(passkeyType, { namespace }));
  await isServed(() => kubes[0].list(passwordType, { namespace }));
  await isServed(() => kubes[0].list(signInTicketType, { namespace }));
});
afterAll(async () => {
  await Promise.all([one.api.close(), two.api.close()]);
  await Promise.all(kubes.map((kube) => kube.close()));
});

const email = () => `${randomBytes(6).toString('hex')}@example.com`;
/** From an address of its own each time: what one source may look up is bounded, and is not what these tests are about. */
const send = (path: string, body: object, by: string | null = null) => {
  const source = { 'X-Forwarded-For': [10, ...randomBytes(3)].join('.') };
  return sixteen([one, two], (of) =>
    of.ask(by, path, { body, headers: by ? source : { ...ownPage, ...source } }),
  );
};
const ofUser = (user: string) => ({ namespace, fieldSelector: `spec.user=${user}` });

test('a token of an invitation gives one account, and one API key', async () => {
  const address = email();
  const invitation = { email: address, role: 'viewer' };
  const { token } = await one.post(admin, '/workspaces/default/invitations', invitation);
  const answers = await send('/invitations/accept', { token });
  expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
  const [given] = answers.filter(({ status }) => status === 200).map(({ json }) => json);
  const keys = (await kubes[0].list(apiKeyType, ofUser(given.userID))).items;
  expect(keys.map(({ metadata }) => metadata.name)).toEqual([given.apiKey.id]);
  const users = await kubes[0].list(userType, { namespace, fieldSelector: `spec.email=${address}` });
  expect(users.items).toHaveLength(1);
  for (const replica of [one, two]) expect((await replica.ask(given.apiKey.token, '/me')).status).toBe(200);
});

test('a token of an invitation opens one session', async () => {
  const invitation = { email: email(), role: 'viewer' };
  const { token } = await one.post(admin, '/workspaces/default/invitations', invitation);
  const answers = await send('/invitations/accept', { token, signIn: true });
  expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
  const [given] = answers.filter(({ status }) => status === 200).map(({ json }) => json);
  expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toHaveLength(1);
  expect((await kubes[0].list(sessionType, ofUser(given.userID))).items).toHaveLength(1);
});

test('a user with an account joins once, and stays a member', async () => {
  const ada = await one.join(email(), 'developer');
  const { id } = await one.post(admin, '/workspaces', { name: 'once' });
  const invitation = { email: email(), role: 'owner' };
  const { token } = await two.post(admin, `/workspaces/${id}/invitations`, invitation);
  const answers = await send('/invitations/accept', { token }, ada.token);
  expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
  const members = await kubes[0].list(membershipType, { namespace, fieldSelector: `spec.workspace=${id}` });
  expect(members.items.map(({ spec }) => spec.user).toSorted()).toEqual(['admin', ada.userId].toSorted());
});

/** All others are refused: as wrong, or with 503 by a replica that was asked for too much that it does not know. */
function expectOneSession(answers: Parameters<typeof countsOf>[0]): void {
  const { 201: opened, 401: wrong = 0, 503: busy = 0, ...others } = countsOf(answers);
  expect({ opened, refused: wrong + busy, others }).toEqual({ opened: 1, refused: 15, others: {} });
}

test('a sign-in link of the first key opens one session', async () => {
  const { url } = (await one.ask(admin, '/sign-in-links', { method: 'POST' })).json;
  const answers = await send('/sign-in/link', { token: new URL(url).hash.slice(1) });
  expectOneSession(answers);
});

test('the code of a machine gives one API key', async () => {
  const { userId, token } = await one.join(email(), 'developer');
  const { deviceCode, userCode } = (await one.ask(null, '/device-sign-ins', { body: { name: 'm' } })).json;
  await two.post(token, '/workspaces/default/device-sign-ins', { userCode, name: 'k', role: 'viewer' });
  const answers = await send('/device-sign-ins/api-key', { deviceCode });
  expect(countsOf(answers)).toEqual({ 201: 1, 404: 15 });
  const { items } = await kubes[0].list(apiKeyType, ofUser(userId));
  expect(items.filter(({ spec }) => spec.device === 'm')).toHaveLength(1);
});

test('an answer of a passkey and a signature of a wallet open one session each', async () => {
  const { token } = await one.join(email(), 'developer');
  const laptop = createAuthenticator();
  const credential = laptop.create(await one.get(token, '/passkeys/options'));
  const enrolments = await send('/passkeys', { name: 'laptop', credential }, token);
  expect(countsOf(enrolments)).toEqual({ 201: 1, 409: 15 });
  const answer = laptop.get((await one.ask(null, '/sign-in/passkey')).json);
  expectOneSession(await send('/sign-in/passkey', answer));

  const wallet = HDNodeWallet.createRandom();
  const sign = async (path: string, by: string | null) => {
    const { json } = await two.ask(by, path, { body: { address: wallet.address }, headers: ownPage });
    return { challenge: json.challenge, signature: await wallet.signMessage(json.message) };
  };
  await one.post(token, '/identities', { wallet: await sign('/identities/wallet', token) });
  const signature = await sign('/sign-in/wallet/challenge', null);
  expectOneSession(await send('/sign-in/wallet', signature));
});

test('the first API key is revoked once', async () => {
  const owner = await one.join(email(), 'owner');
  const path = '/workspaces/default/api-keys/bootstrap';
  const answers = await sixteen([one, two], (of) => of.ask(owner.token, path, { method: 'DELETE' }));
  expect(countsOf(answers)).toEqual({ 204: 1, 404: 15 });
  const status = { bootstrapKey: null };
  await kubes[0].patch(userType, { namespace, name: 'admin' }, { status }, 'status');
  for (const replica of [one, two])
    await eventually(
      () => replica.ask(admin, '/me'),
      (answer) => answer.status === 200,
    );
});

test.each(['a,b=c@example.com', 'spec.sponsor=x,', '\\', 'nobody@example.com', 'ä@exämple.com'])(
  'what nobody has as an address is refused like a wrong password: %s',
  async (given) => {
    const ada = await one.join(email(), 'developer');
    const set = await one.ask(ada.token, '/password', { method: 'PUT', body: { password } });
    const signIn = (address: string) =>
      two.ask(null, '/sign-in/password', { body: { email: address, password: 'wrong' }, headers: ownPage });
    const [refused, wrong] = [await signIn(given), await signIn(set.json.email)];
    expect(refused.status).toBe(401);
    expect({ ...refused.json, requestId: '' }).toEqual({ ...wrong.json, requestId: '' });
  },
);

test('accounts with one address sign in with their own passwords, until one has proven it', async () => {
  const address = email();
  const [ada, eve] = [await one.join(address, 'developer'), await two.join(address, 'developer')];
  for (const { token, userId } of [ada, eve]) {
    const body = { password: `${password} ${userId}` };
    expect((await one.ask(token, '/password', { method: 'PUT', body })).status).toBe(200);
  }
  const signIn = ({ userId }: { userId: string }) =>
    two.ask(null, '/sign-in/password', {
      body: { email: address, password: `${password} ${userId}` },
      headers: ownPage,
    });
  for (const person of [ada, eve]) expect((await signIn(person)).json.userID).toBe(person.userId);
  await kubes[0].patch(userType, { namespace, name: ada.userId }, { spec: { emailProof: 'mail' } });
  expect([(await signIn(ada)).status, (await signIn(eve)).status]).toEqual([201, 401]);
});
