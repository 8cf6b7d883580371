import {
  type AccountsApi,
  admin,
  type Person,
  startAccountsApi,
} from '../../../../apiserver/testing/accountsApi.ts';
import { pauseAt } from '../../../../apiserver/testing/pauseAt.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { passwordType } from '../../api/resources/password.ts';
import { ownPage } from '../../testing/sessions.ts';
import { formerPassword } from './testing/formerPassword.ts';

/** Whose address signs whom in, and what somebody learns who tries those of others. */

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
const namespace = 'slipway-system';
const password = 'correct horse battery';
const evePassword = 'a password of eve';
let world: AccountsApi;
let ada: Person;
let eve: Person;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
  ada = await world.join('Ada@Example.com', 'developer');
  eve = await world.join('eve@example.com', 'developer');
});
afterEach(() => world.api.close());

const set = (token: string, body: object) => world.ask(token, '/password', { method: 'PUT', body });
const signIn = (email: string, given: string) =>
  world.ask(null, '/sign-in/password', { body: { email, password: given }, headers: ownPage });
const plain = ({ status, json }: { status: number; json: object }) => ({ status, ...json, requestId: '' });
const prove = (userId: string, email: string) =>
  world.kube.patch(userType, { namespace, name: userId }, { spec: { email, emailProof: 'mail' } });

/** Another account with an address, made by whoever invites it. */
const puppetOf = (email: string) =>
  world.join(email, 'developer', { workspace: eve.personal, by: eve.token });

describe('the address of a password', () => {
  it('is that of the account: any other is refused at its field, whether it belongs to somebody or not', async () => {
    await set(ada.token, { password });
    const taken = await set(eve.token, { email: 'ada@example.com', password: evePassword });
    const free = await set(eve.token, { email: 'nobody@example.com', password: evePassword });
    expect([taken.status, taken.json.details]).toEqual([
      400,
      [{ path: 'email', message: expect.stringContaining('leave it out') }],
    ]);
    expect(plain(free)).toEqual(plain(taken));
    expect((await world.kube.list(passwordType)).items.map(({ spec }) => spec.user)).toEqual([ada.userId]);
    expect((await signIn('nobody@example.com', evePassword)).status).toBe(401);
  });

  it('may be given as well, in any case', async () => {
    expect((await set(ada.token, { email: 'ADA@example.com', password })).status).toBe(200);
    expect((await signIn('ada@example.com', password)).json.userID).toBe(ada.userId);
  });

  it('cannot be changed by an account that was invited or has proven it', async () => {
    await world.kube.patch(userType, { namespace, name: 'admin' }, { spec: { email: 'ops@example.com' } });
    await prove('admin', 'ops@example.com');
    for (const token of [ada.token, admin])
      expect((await set(token, { email: 'other@example.com', password })).status).toBe(400);
  });

  it('is stated with the first password by an account without one, is unproven, and may be stated again', async () => {
    expect(await world.get(admin, '/password')).toMatchObject({ isSet: false, canChangeEmail: true });
    const without = await set(admin, { password });
    expect([without.status, without.json.details[0].path]).toEqual([400, 'email']);
    const first = await set(admin, { email: 'ops@example.com', password });
    expect([first.status, first.json]).toMatchObject([
      200,
      { email: 'ops@example.com', canChangeEmail: true },
    ]);
    const { user } = await world.get(admin, '/me');
    expect(user).toMatchObject({ email: 'ops@example.com', emailVerified: false });
    expect((await set(admin, { email: 'admin@example.com', password })).status).toBe(200);
    expect((await signIn('ops@example.com', password)).status).toBe(401);
    expect((await signIn('admin@example.com', password)).json.userID).toBe('admin');
    expect((await world.get(ada.token, '/password')).canChangeEmail).toBe(false);
  });

  it('is no longer changed once the account has proven it meanwhile', async () => {
    await set(admin, { email: 'ops@example.com', password });
    const stop = world.kube.intercept(async ({ verb, kind }) => {
      if (verb !== 'replace' || kind !== 'User') return;
      stop();
      await prove('admin', 'ops@example.com');
    });
    expect((await set(admin, { email: 'other@example.com', password })).status).toBe(400);
    expect((await world.get(admin, '/me')).user.email).toBe('ops@example.com');
  });
});

describe('an account that states another address', () => {
  const unavailable = new AppError('Unavailable', 'cut');
  const other = 'admin@example.com';
  const newOne = 'another long one';
  const signsIn = async (email: string, given: string) => (await signIn(email, given)).status === 201;
  const emailOf = async () => (await world.get(admin, '/me')).user.email;
  beforeEach(() => set(admin, { email: 'ops@example.com', password }));

  it('keeps its password until the new one is stored', async () => {
    world.kube.failNext({ verb: 'create', kind: 'Password', error: unavailable });
    expect((await set(admin, { email: other, password: newOne })).status).toBe(503);
    expect([await signsIn(other, newOne), await signsIn('ops@example.com', password)]).toEqual([false, true]);
    expect([await emailOf(), (await world.get(admin, '/password')).isSet]).toEqual(['ops@example.com', true]);
  });

  it('has the new password once it is stored', async () => {
    world.kube.failNext({ verb: 'replace', kind: 'User', when: 'after', error: unavailable });
    expect((await set(admin, { email: other, password: newOne })).status).toBe(503);
    expect([await signsIn('ops@example.com', password), await signsIn(other, newOne)]).toEqual([false, true]);
    expect(await emailOf()).toBe(other);
  });

  it.each([
    ['it is stored', 'create', 'Password'],
    ['it counts', 'replace', 'User'],
  ] as const)(
    'has the address and the password of the request that is last, held before %s',
    async (_when, verb, kind) => {
      const paused = pauseAt(world, { verb, kind });
      const late = set(admin, { email: other, password: newOne });
      await paused.isHeld;
      expect((await set(admin, { email: 'root@example.com', password })).status).toBe(200);
      paused.resume();
      expect((await late).status).toBe(200);
      expect([await emailOf(), await signsIn(other, newOne)]).toEqual([other, true]);
      expect(await signsIn('root@example.com', password)).toBe(false);
    },
  );

  it('keeps the password for an address that it has proven, and no other', async () => {
    world.kube.failNext({ verb: 'create', kind: 'Password', error: unavailable });
    await set(admin, { email: other, password: newOne });
    await prove('admin', other);
    expect(await signsIn('ops@example.com', password)).toBe(false);
  });
});

describe('accounts with the same address', () => {
  it('each sign in with their own password, and none of them learns of the other', async () => {
    const puppet = await puppetOf('ada@example.com');
    const before = await set(puppet.token, { password: evePassword });
    await set(ada.token, { password });
    const after = await set(puppet.token, { password: evePassword });
    expect(plain(after)).toEqual(plain(before));
    expect((await signIn('ada@example.com', password)).json.userID).toBe(ada.userId);
    expect((await signIn('ada@example.com', evePassword)).json.userID).toBe(puppet.userId);
  });

  it.each([true, false])(
    'are displaced by the one that has proven it; it has a password: %s',
    async (has) => {
      const puppet = await puppetOf('ada@example.com');
      await set(puppet.token, { password: evePassword });
      expect((await signIn('ada@example.com', evePassword)).status).toBe(201);
      if (has) await set(ada.token, { password });
      await prove(ada.userId, 'ada@example.com');
      const displaced = await signIn('ada@example.com', evePassword);
      expect(plain(displaced)).toEqual(plain(await signIn('nobody@example.com', evePassword)));
      expect((await set(puppet.token, { password: evePassword })).status).toBe(200);
      expect((await signIn('ada@example.com', evePassword)).status).toBe(401);
      expect((await signIn('ada@example.com', password)).status).toBe(has ? 201 : 401);
    },
  );

  it('do not get attempts for the password of another one by signing in with their own', async () => {
    const puppet = await puppetOf('ada@example.com');
    await set(puppet.token, { password: evePassword });
    await set(ada.token, { password });
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await signIn('ada@example.com', `guess ${guess}`)).status);
      await signIn('ada@example.com', evePassword);
      // So that the look-ups of this source are not used up.
      clock.advance(200);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });
});

describe('a password of version 0.3.0', () => {
  const former = async (userId: string, email: string, given = password) =>
    world.kube.create(passwordType, await formerPassword(world.kube, { userId, email, password: given }));

  it('signs in with the address of its account, until another one is set', async () => {
    await former(ada.userId, 'Ada@Example.com');
    expect(await world.get(ada.token, '/password')).toMatchObject({ isSet: true, email: 'Ada@Example.com' });
    expect((await signIn('ada@example.com', password)).json.userID).toBe(ada.userId);
    expect((await signIn('ada@example.com', evePassword)).status).toBe(401);
    await set(ada.token, { password: 'another long one' });
    expect((await signIn('ada@example.com', password)).status).toBe(401);
    expect((await signIn('ada@example.com', 'another long one')).status).toBe(201);
    expect((await world.kube.list(passwordType)).items).toHaveLength(1);
  });

  it('for the address of somebody else signs nobody in, and does not count as set', async () => {
    await former(eve.userId, 'ada@example.com', evePassword);
    expect((await signIn('ada@example.com', evePassword)).status).toBe(401);
    expect((await world.get(eve.token, '/password')).isSet).toBe(false);
    expect((await set(ada.token, { password })).status).toBe(200);
    expect((await signIn('ada@example.com', password)).json.userID).toBe(ada.userId);
    expect((await world.ask(eve.token, '/password', { method: 'DELETE' })).status).toBe(204);
  });

  it('makes its address that of an account without one', async () => {
    await former('admin', 'ops@example.com');
    expect(await world.get(admin, '/password')).toMatchObject({ isSet: true, email: 'ops@example.com' });
    expect((await signIn('ops@example.com', password)).json.userID).toBe('admin');
    const { user } = await world.get(admin, '/me');
    expect(user).toMatchObject({ email: 'ops@example.com', emailVerified: false });
    expect((await signIn('ops@example.com', password)).status).toBe(201);
  });

  it('lends its address to the next password of an account without one', async () => {
    await former('admin', 'ops@example.com');
    expect((await set(admin, { password: 'another long one' })).status).toBe(200);
    expect((await signIn('ops@example.com', 'another long one')).json.userID).toBe('admin');
    expect((await signIn('ops@example.com', password)).status).toBe(401);
  });

  it('does not count beside a newer one of its account', async () => {
    await set(ada.token, { password: 'another long one' });
    await former(ada.userId, 'ada@example.com');
    expect((await signIn('ada@example.com', password)).status).toBe(401);
    expect((await signIn('ada@example.com', 'another long one')).status).toBe(201);
  });

  it('is displaced like any other', async () => {
    const puppet = await puppetOf('ada@example.com');
    await former(puppet.userId, 'ada@example.com', evePassword);
    await prove(ada.userId, 'ada@example.com');
    expect((await signIn('ada@example.com', evePassword)).status).toBe(401);
  });
});

it.each(['a,b=c@example.com', 'spec.sponsor=x,', 'not an address', '\\', 'ä@exämple.com'])(
  'what is not an address is refused like one that nobody has: %s',
  async (email) => {
    expect(plain(await signIn(email, password))).toEqual(plain(await signIn('nobody@example.com', password)));
  },
);
