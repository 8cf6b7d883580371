import { randomUUID } from 'node:crypto';
import { HDNodeWallet } from 'ethers';
import { releaseNamespace } from '../../hack/up/names.ts';
import { addMember, ask, type Person, removeMember, successBody } from '../lib/accounts.ts';
import { getJson } from '../lib/cluster.ts';
import { openReplicas, type ReplicaAccess } from '../lib/replicas.ts';
import { token as administrator, call, freshEmail } from '../lib/service.ts';

/** What counts once, sent sixteen times at the same moment to all replicas of the installation. */

interface Used {
  status: number;
  cookies: string[];
  // biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing member fails with a clear message
  body: any;
}

let replicas: ReplicaAccess[];
let ada: Person;
beforeAll(async () => {
  replicas = await openReplicas();
  expect(replicas.length).toBeGreaterThan(1);
  ada = await addMember(administrator, 'default', 'developer');
});
afterAll(async () => {
  for (const { close } of replicas) close();
  await removeMember(administrator, 'default', ada);
});

async function use(path: string, body: object, headers: Record<string, string> = {}): Promise<Used[]> {
  const attempts = Array.from({ length: 16 }, async (_, n) => {
    const url = replicas[n % replicas.length]?.url;
    const answer = await fetch(`${url}/workspace/v1alpha1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, cookies: answer.headers.getSetCookie(), body: await answer.json() };
  });
  return Promise.all(attempts);
}
/** One use succeeds. All others are answered with `wrong`, or 503 by a replica that was asked for too much that it does not know. */
function expectOneUse(used: readonly Used[], right: number, wrong: number): void {
  const others = used.map(({ status }) => status).filter((status) => status !== right);
  expect(others).toHaveLength(used.length - 1);
  expect([wrong, 503]).toEqual(expect.arrayContaining(others));
  expect(others).toContain(wrong);
}
const cookiesIn = (used: readonly Used[]) => used.flatMap(({ cookies }) => cookies);

/** The names of the objects of a user. */
async function namesOf(kind: string, user: string): Promise<string[]> {
  const selector = `--field-selector=spec.user=${user}`;
  const { items } = await getJson(`${kind}.slipway.dev`, '--namespace', releaseNamespace, selector);
  return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}
const invite = (workspace: string, by = administrator) =>
  successBody(
    ask(by, 'POST', `/workspaces/${workspace}/invitations`, { email: freshEmail(), role: 'viewer' }),
  );

it('an invitation gives one account with one API key', async () => {
  const { token } = await invite('default');
  const used = await use('/invitations/accept', { token });
  expectOneUse(used, 200, 409);
  const [given] = used.filter(({ status }) => status === 200).map(({ body }) => body);
  expect(used.filter(({ body }) => body.apiKey)).toHaveLength(1);
  expect(await namesOf('apikeys', given.userID)).toEqual([given.apiKey.id]);
  expect((await ask(given.apiKey.token, 'GET', '/me')).status).toBe(200);
  await ask(administrator, 'DELETE', `/workspaces/default/memberships/${given.userID}`);
});

it('an invitation that is accepted in a browser opens one session', async () => {
  const { token } = await invite('default');
  const used = await use('/invitations/accept', { token, signIn: true });
  expectOneUse(used, 200, 409);
  expect(cookiesIn(used)).toHaveLength(1);
  const [given] = used.filter(({ status }) => status === 200).map(({ body }) => body);
  expect(await namesOf('sessions', given.userID)).toHaveLength(1);
  await ask(administrator, 'DELETE', `/workspaces/default/memberships/${given.userID}`);
});

it('an invitation is accepted once by somebody with an account, who stays a member', async () => {
  const other = await addMember(administrator, 'default', 'developer');
  const { token } = await invite(other.personal, other.token);
  const used = await use('/invitations/accept', { token }, { Authorization: `Bearer ${ada.token}` });
  expectOneUse(used, 200, 409);
  const { items } = await successBody(ask(other.token, 'GET', `/workspaces/${other.personal}/memberships`));
  expect(items.map(({ userID }: { userID: string }) => userID)).toContain(ada.userId);
  await removeMember(administrator, 'default', other);
});

it.each([
  ['of a user', () => ada.token],
  ['of the first key of the installation', () => administrator],
])('a sign-in link %s opens one session', async (_whose, tokenOf) => {
  const { url } = await successBody(ask(tokenOf(), 'POST', '/sign-in-links'));
  const used = await use('/sign-in/link', { token: new URL(url).hash.slice(1) });
  expectOneUse(used, 201, 401);
  expect(cookiesIn(used)).toHaveLength(1);
});

it('the code of a machine gives one API key', async () => {
  const name = `once-${randomUUID().slice(0, 8)}`;
  const { deviceCode, userCode } = await successBody(ask(undefined, 'POST', '/device-sign-ins', { name }));
  const approval = { userCode, name, role: 'viewer' };
  await successBody(ask(ada.token, 'POST', `/workspaces/${ada.personal}/device-sign-ins`, approval));
  const used = await use('/device-sign-ins/api-key', { deviceCode });
  expectOneUse(used, 201, 404);
  const path = `/workspaces/${ada.personal}/api-keys?limit=500`;
  const { items } = await successBody(ask(ada.token, 'GET', path));
  expect(items.filter(({ device }: { device?: string }) => device === name)).toHaveLength(1);
});

it('a signature of a wallet opens one session', async () => {
  const wallet = HDNodeWallet.createRandom();
  const sign = async (by: string | undefined, path: string) => {
    const { body } = await call('POST', `/workspace/v1alpha1${path}`, {
      isAnonymous: true,
      body: { address: wallet.address },
      headers: by === undefined ? { 'Sec-Fetch-Site': 'same-origin' } : { Authorization: `Bearer ${by}` },
    });
    return { challenge: body.challenge, signature: await wallet.signMessage(body.message) };
  };
  const linking = { wallet: await sign(ada.token, '/identities/wallet') };
  const { id } = await successBody(ask(ada.token, 'POST', '/identities', linking));
  const used = await use('/sign-in/wallet', await sign(undefined, '/sign-in/wallet/challenge'));
  expectOneUse(used, 201, 401);
  expect(cookiesIn(used)).toHaveLength(1);
  await successBody(ask(ada.token, 'DELETE', `/identities/${id}`));
});
