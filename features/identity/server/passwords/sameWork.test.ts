import { noBudgetMetrics } from '../../../../apiserver/http/limits/budgetMetrics.ts';
import { type AccountsApi, startAccountsApi } from '../../../../apiserver/testing/accountsApi.ts';
import { pepper } from '../../../../apiserver/testing/harness.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { passwordType } from '../../api/resources/password.ts';
import { createPasswordHasher, type PasswordHasher } from './hasher.ts';
import { formerPassword } from './testing/formerPassword.ts';
import { userOf } from './userOf.ts';

/** What a refused sign-in costs does not depend on whether anybody has the address. Work is counted instead of timed. */

const namespace = 'slipway-system';
const address = 'ada@example.com';
const password = 'correct horse battery';
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock: createManualClock(Date.parse('2030-01-01T00:00:00Z')) });
});
afterEach(() => world.api.close());

const set = async (token: string) => {
  const { status } = await world.ask(token, '/password', { method: 'PUT', body: { password } });
  expect(status).toBe(200);
};
const join = (email = address) => world.join(email, 'developer');
const prove = (userId: string) =>
  world.kube.patch(userType, { namespace, name: userId }, { spec: { email: address, emailProof: 'mail' } });

/** Who is signed in, and what was read and computed for that. */
async function workOf(given: string) {
  const computed: string[] = [];
  const real = createPasswordHasher({ pepper, clock: createManualClock(), budgets: noBudgetMetrics });
  const hasher: PasswordHasher = {
    ...real,
    async tagOf(...all) {
      computed.push('hash');
      return real.tagOf(...all);
    },
    async isRightFormer(...all) {
      computed.push('former hash');
      return real.isRightFormer(...all);
    },
  };
  const before = world.kube.requests.length;
  const found = await userOf({ kube: world.kube, namespace, pepper, hasher }, { address, password: given });
  const reads = world.kube.requests.slice(before).map(({ verb, kind }) => `${verb} ${kind}`);
  return { user: found?.user.metadata.name, work: [...computed, ...reads.toSorted()] };
}

const wrong = 'a wrong password';
const cases: [what: string, given: string, prepare: () => Promise<unknown>][] = [
  ['an address that nobody has', password, async () => undefined],
  ['an account without a password', password, () => join()],
  ['a wrong password', wrong, async () => set((await join()).token)],
  [
    'the wrong password of one of several accounts',
    wrong,
    async () => {
      for (let count = 0; count < 5; count += 1) await set((await join()).token);
    },
  ],
  [
    'a password that was displaced',
    password,
    async () => {
      await set((await join()).token);
      await prove((await join()).userId);
    },
  ],
  [
    'the wrong password of whoever has proven the address',
    wrong,
    async () => {
      const { userId, token } = await join();
      await prove(userId);
      await set(token);
    },
  ],
  [
    'a password whose account is gone',
    password,
    async () => {
      const { userId, token } = await join();
      await set(token);
      const [left] = (await world.kube.list(passwordType)).items;
      await world.kube.delete(userType, { namespace, name: userId });
      // The garbage collector of the cluster has not come yet.
      if (left) world.kube.seed(passwordType, left);
    },
  ],
];

it.each(cases)('%s', async (_what, given, prepare) => {
  const calm = await workOf('nobody is here');
  await prepare();
  expect(await workOf(given)).toEqual(calm);
  expect(calm).toEqual({
    user: undefined,
    work: ['hash', 'get Password', 'get User', 'list Password', 'list Password', 'list User'],
  });
});

describe('while the installation has passwords of version 0.3.0', () => {
  it.each([
    ['of other addresses', 'ben@example.com'],
    ['of this address', address],
  ])('%s, each sign-in costs one hash more', async (_whose, email) => {
    const { userId } = await join(email);
    const stored = await formerPassword(world.kube, { userId, email, password });
    await world.kube.create(passwordType, stored);
    const { work } = await workOf(wrong);
    expect(work.slice(0, 2)).toEqual(['hash', 'former hash']);
    expect(work).toHaveLength(7);
  });
});

it('who is signed in costs the same', async () => {
  const calm = await workOf(password);
  const { token, userId } = await join();
  await set(token);
  expect(await workOf(password)).toEqual({ user: userId, work: calm.work });
});
