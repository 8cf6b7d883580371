import { randomBytes } from 'node:crypto';
import { type AccountsApi, accountsApiOver, type Person } from '../../../../apiserver/testing/accountsApi.ts';
import { eventually } from '../../../../apiserver/testing/eventually.ts';
import { invitationType } from '../../../../core/api/resources/resources.ts';
import type { KubeClient } from '../../../../core/kube/client/client.ts';
import { namespaceType } from '../../../../core/kube/types.ts';
import { createTestKube } from '../../../../hack/testenv/testKube.ts';
import { passkeyType } from '../../api/resources/passkey.ts';
import { passwordType } from '../../api/resources/password.ts';
import { signInTicketType } from '../../api/resources/ticket.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { ownPage } from '../../testing/sessions.ts';

/** The ways to sign in, on two replicas over one real kube-apiserver. */

const namespace = `sign-in-${randomBytes(4).toString('hex')}`;
const kubes = [createTestKube(), createTestKube()] as const;
let one: AccountsApi<KubeClient>;
let two: AccountsApi<KubeClient>;
let dev: Person;
let email: string;

beforeAll(async () => {
  const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await kubes[0].create(namespaceType, made);
  const start = (kube: KubeClient) => accountsApiOver(kube, { namespace });
  [one, two] = await Promise.all([start(kubes[0]), start(kubes[1])]);
  // kube-apiserver rejects kinds briefly after their CRDs are created.
  const isServed = (list: () => Promise<unknown>) => eventually(() => list().catch(() => undefined), Boolean);
  await isServed(() => kubes[0].list(invitationType, { namespace }));
  await isServed(() => kubes[0].list(passkeyType, { namespace }));
  await isServed(() => kubes[0].list(passwordType, { namespace }));
  await isServed(() => kubes[0].list(signInTicketType, { namespace }));
});
beforeEach(async () => {
  email = `${randomBytes(6).toString('hex')}@example.com`;
  dev = await one.join(email, 'developer');
});
afterAll(async () => {
  await Promise.all([one.api.close(), two.api.close()]);
  await Promise.all(kubes.map((kube) => kube.close()));
});

async function signIn(of: AccountsApi<KubeClient>, path: string, body: object) {
  const answer = await of.ask(null, path, { body, headers: ownPage });
  return { ...answer, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

test('a passkey that was enrolled on one replica signs in on the other; its answer counts once on both', async () => {
  const laptop = createAuthenticator();
  laptop.says.counter = 1;
  const options = await one.get(dev.token, '/passkeys/options');
  await one.post(dev.token, '/passkeys', { name: 'laptop', credential: laptop.create(options) });
  laptop.says.counter = 2;
  const answer = laptop.get((await one.ask(null, '/sign-in/passkey')).json);
  const attempts = await Promise.all(
    [one, two, one, two].map((of) => signIn(of, '/sign-in/passkey', answer)),
  );
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401]);
  const { items } = await two.get(dev.token, '/passkeys');
  expect(items).toMatchObject([{ name: 'laptop', lastUsedAt: expect.any(String) }]);
  laptop.says.counter = 2;
  const copied = laptop.get((await two.ask(null, '/sign-in/passkey')).json);
  expect((await signIn(two, '/sign-in/passkey', copied)).status).toBe(401);
});

test('a password that was set on one replica signs in on the other, until it is removed', async () => {
  const password = 'correct horse battery';
  const set = await one.ask(dev.token, '/password', { method: 'PUT', body: { password } });
  expect(set.status).toBe(200);
  const session = await signIn(two, '/sign-in/password', { email, password });
  expect(session.status).toBe(201);
  const headers = { ...ownPage, Cookie: session.cookie };
  expect((await one.ask(null, '/me', { headers })).json.user.id).toBe(dev.userId);
  const again = await two.ask(dev.token, '/password', { method: 'PUT', body: { password: `${password}!` } });
  expect(again.status).toBe(200);
  for (const replica of [one, two]) {
    await eventually(
      () => replica.ask(null, '/me', { headers }),
      ({ status }) => status === 401,
    );
  }
  expect((await one.ask(dev.token, '/password', { method: 'DELETE' })).status).toBe(204);
  expect((await signIn(two, '/sign-in/password', { email, password: `${password}!` })).status).toBe(401);
});

test('a link that was made on one replica signs in once on both', async () => {
  const { url } = await one.post(dev.token, '/sign-in-links', {});
  const token = new URL(url).hash.slice(1);
  const attempts = await Promise.all(
    [two, one, two, one].map((of) => signIn(of, '/sign-in/link', { token })),
  );
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401]);
});
