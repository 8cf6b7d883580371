import { HDNodeWallet } from 'ethers';
import {
  type AccountsApi,
  accountsApiOver,
  admin,
  type Person,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import type { Answer } from '../../../../apiserver/testing/harness.ts';
import { createLaggingKube } from '../../../../apiserver/testing/laggingKube.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { passwordType } from '../../api/resources/password.ts';
import { sessionType } from '../../api/resources/session.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { browserOf, ownPage } from '../../testing/sessions.ts';

/** What a change or a removal of a way to sign in ends: also what is under way at that moment, at any replica. */

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
const password = 'correct horse battery';
const another = 'another long one';
let world: AccountsApi;
let replica: AccountsApi;
let dev: Person;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
  replica = await accountsApiOver(world.kube, { clock });
  dev = await world.join('dev@example.com', 'developer');
});
afterEach(() => Promise.all([world.api.close(), replica.api.close()]));

const set = (given = password, of = world) =>
  of.ask(dev.token, '/password', { method: 'PUT', body: { password: given } });
const remove = (path: string, of = world) => of.ask(dev.token, path, { method: 'DELETE' });
const signIn = (given = password, of = world) =>
  of.ask(null, '/sign-in/password', {
    body: { email: 'dev@example.com', password: given },
    headers: ownPage,
  });
const signsIn = async (given: string) => (await signIn(given)).status === 201;
const cookieOf = ({ headers }: Answer) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
const inBrowser = (answer: Answer) => ({ ...ownPage, Cookie: cookieOf(answer) });
const statusesOf = (answer: Answer) =>
  Promise.all(
    [world, replica].map(async (of) => (await of.ask(null, '/me', { headers: inBrowser(answer) })).status),
  );

/** What decides about sign-ins. */
const kinds = new Set(['User', 'Password', 'Passkey', 'Identity', 'Session']);

/** Holds the request about one of them that comes after `count` others. */
function holdAfter(count: number) {
  const held = Promise.withResolvers<boolean>();
  const resumed = Promise.withResolvers<void>();
  let left = count;
  const stop = world.kube.intercept(async ({ verb, kind }) => {
    if (verb === 'watch' || !kinds.has(kind)) return;
    left -= 1;
    if (left >= 0) return;
    stop();
    held.resolve(true);
    await resumed.promise;
  });
  return {
    /** Whether a request is held before `whole` has ended. */
    async isHeld(whole: Promise<unknown>) {
      const isHeld = await Promise.race([held.promise, whole.then(() => false)]);
      stop();
      return isHeld;
    },
    resume: () => resumed.resolve(),
  };
}

/** Lets `change` happen before each of these requests that `work` makes of the cluster, in turn. */
async function atEachStep(
  work: () => Promise<Answer>,
  change: () => Promise<unknown>,
  then: (answer: Answer) => Promise<void>,
): Promise<number> {
  for (let step = 0; ; step += 1) {
    const hold = holdAfter(step);
    const answer = work();
    if (!(await hold.isHeld(answer))) return step;
    await change();
    hold.resume();
    await then(await answer);
  }
}

interface Way {
  signIn(): Promise<Answer>;
  end(): Promise<unknown>;
}

async function byPasskey(): Promise<Way> {
  const laptop = createAuthenticator();
  const credential = laptop.create(await world.get(dev.token, '/passkeys/options'));
  const { id } = await world.post(dev.token, '/passkeys', { name: 'laptop', credential });
  const answer = laptop.get((await world.ask(null, '/sign-in/passkey')).json);
  return {
    signIn: () => world.ask(null, '/sign-in/passkey', { body: answer, headers: ownPage }),
    end: () => remove(`/passkeys/${id}`, replica),
  };
}

async function byWallet(): Promise<Way> {
  const wallet = HDNodeWallet.createRandom();
  const sign = async (path: string, token: string | null) => {
    const { json } = await world.ask(token, path, { body: { address: wallet.address }, headers: ownPage });
    return { challenge: json.challenge, signature: await wallet.signMessage(json.message) };
  };
  const linked = await world.post(dev.token, '/identities', {
    wallet: await sign('/identities/wallet', dev.token),
  });
  const body = await sign('/sign-in/wallet/challenge', null);
  return {
    signIn: () => world.ask(null, '/sign-in/wallet', { body, headers: ownPage }),
    end: () => remove(`/identities/${linked.id}`, replica),
  };
}

async function byPassword(): Promise<Way> {
  await set();
  return { signIn: () => signIn(), end: () => set(another, replica) };
}

async function byRemovedPassword(): Promise<Way> {
  await set();
  return { signIn: () => signIn(), end: () => remove('/password', replica) };
}

describe('a session that is being opened ends with', () => {
  it.each([
    ['the change of the password', byPassword],
    ['the removal of the password', byRemovedPassword],
    ['the removal of the passkey', byPasskey],
    ['the unlinking of the wallet', byWallet],
  ])('%s, at whatever step that comes', async (_what, prepare) => {
    let way = await prepare();
    const steps = await atEachStep(
      () => way.signIn(),
      () => way.end(),
      async (answer) => {
        expect(await statusesOf(answer)).toEqual([401, 401]);
        expect((await world.get(dev.token, '/sessions')).items).toEqual([]);
        way = await prepare();
      },
    );
    expect(steps).toBeGreaterThan(3);
  });

  it('a change that follows another one', async () => {
    await set();
    const hold = holdAfter(3);
    const late = signIn();
    await hold.isHeld(late);
    await set(another, replica);
    await set(password, replica);
    hold.resume();
    expect(await statusesOf(await late)).toEqual([401, 401]);
  });
});

describe('a session that has ended sets no password', () => {
  const byThief = 'a password of a thief';
  it.each([
    ['changed', () => set(another, replica), true],
    ['removed', () => remove('/password', replica), false],
  ])('while its user has it %s', async (_what, change, hasPassword) => {
    const begin = async () => {
      // The budgets of wrong passwords and of unknown sessions.
      clock.advance(60_000);
      await set();
      return { headers: inBrowser(await signIn()), body: { password: byThief } };
    };
    let thief = await begin();
    const steps = await atEachStep(
      () => world.ask(null, '/password', { method: 'PUT', ...thief }),
      change,
      async () => {
        // A user has one password: where the new one signs in, no other does.
        expect(await signsIn(hasPassword ? another : byThief)).toBe(hasPassword);
        expect((await world.ask(null, '/me', { headers: thief.headers })).status).toBe(401);
        thief = await begin();
      },
    );
    expect(steps).toBeGreaterThan(3);
  });

  it('nor an API key, at a replica that has not heard of the end', async () => {
    const { kube, hold } = createLaggingKube(world.kube);
    const behind = await accountsApiOver(kube, { clock });
    await set();
    const headers = inBrowser(await signIn(password, world));
    expect((await behind.ask(null, '/me', { headers })).status).toBe(200);
    const release = hold();
    await set(another);
    const own = '/workspaces/default/api-keys';
    const answers = await Promise.all([
      behind.ask(null, '/password', { method: 'PUT', headers, body: { password: byThief } }),
      behind.ask(null, own, {
        headers: { ...headers, 'X-Workspace-ID': 'default' },
        body: { name: 'k', role: 'viewer' },
      }),
      behind.ask(null, '/passkeys/options', { headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    release();
    await behind.api.close();
  });
});

test('of passwords that are set at once one signs in, and no other is kept', async () => {
  const passwords = ['0', '1', '2', '3'].map((n) => `a long password ${n} zq`);
  const answers = await Promise.all(passwords.map((one, n) => set(one, n % 2 ? world : replica)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const right = await Promise.all(passwords.map(signsIn));
  expect(right.filter(Boolean)).toHaveLength(1);
  clock.advance(3_600_000);
  await set();
  expect((await world.kube.list(passwordType)).items).toHaveLength(1);
});

test('sign-ins beside a change and a removal leave no session', async () => {
  await set();
  const signIns = [world, replica, world, replica].map((of) => signIn(password, of));
  await set(another);
  await remove('/password', replica);
  for (const answer of await Promise.all(signIns)) expect(await statusesOf(answer)).toEqual([401, 401]);
});

test('a password whose user could not be written is not kept, and the former one signs in', async () => {
  await set();
  const stop = world.kube.intercept(async ({ verb, kind }) => {
    if (verb !== 'create' || kind !== 'Password') return;
    stop();
    await world.kube.patch(
      userType,
      { namespace: 'slipway-system', name: dev.userId },
      {
        spec: { email: 'other@example.com', emailProof: 'mail' },
      },
    );
  });
  expect((await set(another)).status).toBe(400);
  expect((await world.kube.list(passwordType)).items).toHaveLength(1);
});

test('a session of an earlier version counts until the first change, which it may make itself', async () => {
  const [old, own] = await Promise.all([1, 2].map(() => browserOf(world, dev.userId, clock.nowMs())));
  const body = { password };
  expect((await world.ask(null, '/password', { method: 'PUT', body, headers: { ...own } })).status).toBe(200);
  const statuses = [old, own].map(
    async (headers) => (await replica.ask(null, '/me', { headers: { ...headers } })).status,
  );
  expect(await Promise.all(statuses)).toEqual([401, 200]);
  expect((await world.kube.list(sessionType)).items).toHaveLength(1);
});

describe('a machine gets no API key that its user approved', () => {
  const approve = async () => {
    const { deviceCode, userCode } = (await world.ask(null, '/device-sign-ins', { body: { name: 'm' } }))
      .json;
    const approval = { userCode, name: 'k', role: 'viewer' };
    await world.post(dev.token, '/workspaces/default/device-sign-ins', approval);
    return () => replica.ask(null, '/device-sign-ins/api-key', { body: { deviceCode } });
  };
  const refused = 'whoever approved';

  it('before a change of the password', async () => {
    const fetchKey = await approve();
    await set();
    const { status, json } = await fetchKey();
    expect([status, json.message]).toEqual([403, expect.stringContaining(refused)]);
  });

  it('as a member that was removed and invited again', async () => {
    const fetchKey = await approve();
    const members = `/workspaces/default/memberships/${dev.userId}`;
    expect((await world.ask(admin, members, { method: 'DELETE' })).status).toBe(204);
    const guest = { email: 'dev@example.com', role: 'developer' };
    const { token } = await world.post(admin, '/workspaces/default/invitations', guest);
    const headers = { 'X-Workspace-ID': dev.personal };
    expect((await world.ask(dev.token, '/invitations/accept', { body: { token }, headers })).status).toBe(
      200,
    );
    const { status, json } = await fetchKey();
    expect([status, json.message]).toEqual([403, expect.stringContaining(refused)]);
  });
});
