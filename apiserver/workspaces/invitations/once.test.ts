import {
  apiKeyType,
  invitationType,
  membershipType,
  userType,
} from '../../../core/api/resources/resources.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import {
  type AccountsApi,
  accountsApiOver,
  admin,
  type Person,
  startAccountsApi,
} from '../../testing/accountsApi.ts';
import { pepper } from '../../testing/harness.ts';
import { pauseAt } from '../../testing/pauseAt.ts';
import { countsOf, sixteen } from '../../testing/sixteen.ts';
import { together } from '../../testing/together.ts';
import { mailedToken } from './mail/mailedToken.ts';
import { invitationsOf, list } from './testing/invitations.ts';

/** An invitation is used once: of all attempts, on all replicas, at the same moment or late. */

const namespace = 'slipway-system';
const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
const signIn = { mailer: { send: async () => ({ isSent: true }) as const } };
let world: AccountsApi;
let replica: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock, signIn });
  replica = await accountsApiOver(world.kube, { clock, signIn });
});
afterEach(() => Promise.all([world.api.close(), replica.api.close()]));

const { invite, accept, revoke, stateOf } = invitationsOf(() => world);
/** All have found the invitation pending before one of them goes on. */
async function allAtOnce(send: (of: AccountsApi, n: number) => ReturnType<AccountsApi['ask']>) {
  together(world, { verb: 'get', kind: 'Invitation', count: 16 });
  return sixteen([world, replica], send);
}
const at = (of: AccountsApi, token: string, by: string | null = null) =>
  of.ask(by, '/invitations/accept', { body: { token } });
const keys = async () => (await world.kube.list(apiKeyType)).items;
const members = async () => {
  const { items } = await world.kube.list(membershipType, { fieldSelector: 'spec.workspace=default' });
  return items.map(({ spec }) => spec.user).filter((user) => user !== 'admin');
};

describe('of sixteen attempts at once, over both replicas,', () => {
  it('one gets an account and its only API key', async () => {
    const { id, token } = await invite('ada@example.com');
    const answers = await allAtOnce((of) => at(of, token));
    expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
    const [given] = answers.filter(({ json }) => json.apiKey).map(({ json }) => json);
    expect((await keys()).map(({ metadata }) => metadata.name)).toEqual([given.apiKey.id]);
    expect((await world.get(given.apiKey.token, '/me')).user.id).toBe(given.userID);
    expect(await members()).toEqual([given.userID]);
    expect(await stateOf(id)).toBe('Accepted');
  });

  it('one of a user with an account joins, and stays a member', async () => {
    const { id } = await world.post(admin, '/workspaces', { name: 'elsewhere' });
    const ada = await world.join('ada@example.com', 'developer', { workspace: id });
    const { token } = await invite('ada@example.com', 'owner');
    const answers = await allAtOnce((of) => at(of, token, ada.token));
    expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
    expect(await members()).toEqual([ada.userId]);
    const { role } = (await world.ask(ada.token, '/me', { headers: { 'X-Workspace-ID': 'default' } })).json;
    expect(role).toBe('owner');
  });

  it('one of several users joins', async () => {
    const { id } = await world.post(admin, '/workspaces', { name: 'elsewhere' });
    const people: Person[] = [];
    for (let n = 0; n < 8; n += 1)
      people.push(await world.join(`u${n}@example.com`, 'developer', { workspace: id }));
    const { token } = await invite('ada@example.com');
    const answers = await allAtOnce((of, n) => at(of, token, people[n % 8]?.token ?? null));
    expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
    const [given] = answers.filter(({ status }) => status === 200).map(({ json }) => json);
    expect(await members()).toEqual([given.userID]);
  });

  it('with the token of the inviter and the mailed one, one gets an account, and only whoever has read the mail has proven the address', async () => {
    // Each token to both replicas.
    const tokenOf = (n: number) => Math.floor(n / 2) % 2;
    for (let round = 0; round < 4; round += 1) {
      clock.advance(5_000);
      const { id, token } = await invite(`ada${round}@example.com`);
      const stored = await world.kube.get(invitationType, { namespace, name: id });
      const mailed = stored ? mailedToken(pepper, stored) : '';
      const tokens = round % 2 ? [token, mailed] : [mailed, token];
      const answers = await allAtOnce((of, n) => at(of, tokens[tokenOf(n)] ?? ''));
      expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
      const users = (await world.kube.list(userType)).items.filter(({ spec }) => spec.invitation === id);
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(users.map(({ metadata, spec }) => [metadata.name, spec.emailProof])).toEqual([
        [answers[winner]?.json.userID, tokens[tokenOf(winner)] === mailed ? 'mail' : undefined],
      ]);
    }
  });

  it('each with an Idempotency-Key of its own, one gets a key, also if it asks again', async () => {
    const { token } = await invite('ada@example.com');
    const send = (of: AccountsApi, n: number) =>
      of.ask(null, '/invitations/accept', { body: { token }, headers: { 'Idempotency-Key': `k${n}` } });
    const answers = await allAtOnce(send);
    expect(countsOf(answers)).toEqual({ 200: 1, 409: 15 });
    const again = await sixteen([world, replica], (_of, n) => send(n % 2 ? replica : world, n));
    expect(again.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
    expect(await keys()).toHaveLength(1);
  });
});

describe('a replica that was paused while it accepted', () => {
  it.each([
    ['create', 'User', 0],
    ['create', 'Membership', 0],
    ['create', 'ApiKey', 0],
    ['replace', 'Invitation', 0],
    ['replace', 'Invitation', 1],
  ] as const)(
    'at the %s of %s (%d) gives nothing out once another one has accepted',
    async (verb, kind, skip) => {
      const { token } = await invite('ada@example.com');
      const paused = pauseAt(world, { verb, kind, skip });
      const late = accept(token);
      await paused.isHeld;
      const { status, json } = await at(replica, token);
      expect(status).toBe(200);
      paused.resume();
      expect([(await late).status, (await late).json.apiKey]).toEqual([409, undefined]);
      expect((await keys()).map(({ metadata }) => metadata.name)).toEqual([json.apiKey.id]);
      expect(await members()).toEqual([json.userID]);
      expect((await world.ask(json.apiKey.token, '/me')).status).toBe(200);
    },
  );

  it('does not bring back a member who was removed meanwhile', async () => {
    const { id } = await world.post(admin, '/workspaces', { name: 'elsewhere' });
    const ada = await world.join('ada@example.com', 'developer', { workspace: id });
    const { token } = await invite('ada@example.com', 'owner');
    const paused = pauseAt(world, { verb: 'create', kind: 'Membership' });
    const late = accept(token, ada.token);
    await paused.isHeld;
    expect((await at(replica, token, ada.token)).status).toBe(200);
    const path = `/workspaces/default/memberships/${ada.userId}`;
    expect((await world.ask(admin, path, { method: 'DELETE' })).status).toBe(204);
    paused.resume();
    expect((await late).status).toBe(409);
    expect(await members()).toEqual([]);
  });

  it('takes nobody out who has become a member by another invitation, and leaves its own pending', async () => {
    const { id } = await world.post(admin, '/workspaces', { name: 'elsewhere' });
    const ada = await world.join('ada@example.com', 'developer', { workspace: id });
    const [first, second] = [await invite('ada@example.com'), await invite('ada@example.com', 'viewer')];
    const paused = pauseAt(world, { verb: 'create', kind: 'Membership' });
    const late = accept(first.token, ada.token);
    await paused.isHeld;
    expect((await at(replica, second.token, ada.token)).status).toBe(200);
    paused.resume();
    const { status, json } = await late;
    expect([status, json.message]).toEqual([409, 'you are already a member of this workspace']);
    expect(await members()).toEqual([ada.userId]);
    expect(await stateOf(first.id)).toBe('Pending');
  });
});

describe('what an acceptance has made that fails after joining', () => {
  const unavailable = new AppError('Unavailable', 'cut');
  let ada: Person;
  beforeEach(async () => {
    const { id } = await world.post(admin, '/workspaces', { name: 'elsewhere' });
    ada = await world.join('ada@example.com', 'developer', { workspace: id });
  });
  const remove = (userId: string) =>
    world.ask(admin, `/workspaces/default/memberships/${userId}`, { method: 'DELETE' });
  /** Waits before it joins; meanwhile somebody ends the invitation. */
  async function late(token: string, by: string | null, end: () => Promise<unknown>) {
    const paused = pauseAt(world, { verb: 'create', kind: 'Membership' });
    const answer = accept(token, by);
    await paused.isHeld;
    await end();
    paused.resume();
    return (await answer).status;
  }
  /** Accepted by another attempt of the same user, who was then removed. */
  const acceptedAndRemoved = (token: string, by: string | null) => async () => {
    const { status, json } = await at(replica, token, by);
    expect(status).toBe(200);
    expect((await remove(json.userID)).status).toBe(204);
  };
  /** The replica that has joined dies before it knows what became of the invitation, which it asks for twice. */
  const die = () => world.kube.failNext({ verb: 'get', kind: 'Invitation', times: 2, error: unavailable });

  it('goes, also if its API key cannot be deleted', async () => {
    const { token } = await invite('eve@example.com');
    const status = await late(token, null, async () => {
      await acceptedAndRemoved(token, null)();
      world.kube.failNext({ verb: 'delete', kind: 'ApiKey', error: unavailable });
    });
    expect([status, await members()]).toEqual([503, []]);
  });

  it.each(['developer', 'owner'])(
    'is taken back if its replica died: as %s, whom another attempt made a member, and who was removed',
    async (role) => {
      const { token } = await invite('ada@example.com', role);
      const end = acceptedAndRemoved(token, ada.token);
      expect(
        await late(token, ada.token, async () => {
          await end();
          die();
        }),
      ).toBe(503);
      expect(await members()).toEqual([ada.userId]);
      await world.api.takeBackLeftovers();
      expect(await members()).toEqual([]);
      expect((await world.get(admin, '/workspaces/default')).metadata.ownerID).toBe('admin');
    },
  );

  it('is taken back if its replica died, and the invitation was revoked meanwhile', async () => {
    const { id, token } = await invite('ada@example.com');
    const status = await late(token, ada.token, async () => {
      expect((await revoke(id)).status).toBe(204);
      die();
    });
    expect([status, await members()]).toEqual([503, [ada.userId]]);
    await world.api.takeBackLeftovers();
    expect(await members()).toEqual([]);
  });

  it('stays if the invitation was settled for it, or still can be', async () => {
    const [settled, open] = [await invite('ada@example.com'), await invite('bob@example.com')];
    expect((await accept(settled.token, ada.token)).status).toBe(200);
    world.kube.failNext({ verb: 'create', kind: 'ApiKey', error: unavailable });
    expect((await accept(open.token)).status).toBe(503);
    const before = await members();
    await world.api.takeBackLeftovers();
    expect([before.length, await members()]).toEqual([2, before]);
    clock.advance(8 * 24 * 3_600_000);
    await world.api.takeBackLeftovers();
    expect(await members()).toEqual(before);
  });
});

describe('an inviter who may no longer grant the role', () => {
  let inviter: Person;
  beforeEach(async () => {
    inviter = await world.join('ivy@example.com', 'owner');
  });
  const demote = async () => {
    const path = `/workspaces/default/memberships/${inviter.userId}`;
    const answer = await replica.ask(admin, path, { method: 'PUT', body: { role: 'viewer' } });
    expect(answer.status).toBe(200);
  };
  const inviteBy = (by: string) => world.post(by, list, { email: 'ada@example.com', role: 'developer' });
  const refused = [409, 'the user who invited you may no longer grant this role: ask for a new invitation'];
  const expectNothing = async (id: string) => {
    expect(await members()).toEqual([inviter.userId]);
    expect((await keys()).map(({ spec }) => spec.user)).toEqual([inviter.userId]);
    expect(await stateOf(id)).toBe('Pending');
  };

  it('grants nothing to whoever was interrupted and accepts again', async () => {
    const { id, token } = await inviteBy(inviter.token);
    const error = new AppError('Unavailable', 'cut');
    world.kube.failNext({ verb: 'create', kind: 'ApiKey', error });
    expect((await accept(token)).status).toBe(503);
    await demote();
    const { status, json } = await accept(token);
    expect([status, json.message]).toEqual(refused);
    await expectNothing(id);
  });

  it('grants nothing to whoever was paused', async () => {
    const { id, token } = await inviteBy(inviter.token);
    const paused = pauseAt(world, { verb: 'create', kind: 'ApiKey' });
    const answer = accept(token);
    await paused.isHeld;
    await demote();
    paused.resume();
    const { status, json } = await answer;
    expect([status, json.message]).toEqual(refused);
    await expectNothing(id);
  });

  it('has granted what was settled before', async () => {
    const { token } = await inviteBy(inviter.token);
    const paused = pauseAt(world, { verb: 'create', kind: 'ApiKey' });
    const answer = accept(token);
    await paused.isHeld;
    const { json } = await at(replica, token);
    await demote();
    paused.resume();
    expect((await answer).status).toBe(409);
    expect(await members()).toContain(json.userID);
    expect((await world.ask(json.apiKey.token, '/me')).status).toBe(200);
  });
});

describe('a repeated request whose first answer could not be kept', () => {
  const send = (token: string) =>
    world.ask(null, '/invitations/accept', { body: { token }, headers: { 'Idempotency-Key': 'one' } });
  const first = async (token: string) => {
    const error = new AppError('Unavailable', 'cut');
    world.kube.failNext({ verb: 'replace', kind: 'IdempotencyRecord', error });
    const { json } = await send(token);
    clock.advance(60_000);
    return json.apiKey;
  };

  it('gets the same key', async () => {
    const { token } = await invite('ada@example.com');
    const key = await first(token);
    expect((await send(token)).json.apiKey.token).toBe(key.token);
    expect(await keys()).toHaveLength(1);
  });

  it('gets none once that was revoked', async () => {
    const { token } = await invite('ada@example.com');
    const { id, token: key, userID } = await first(token);
    const { personalWorkspaceID } = (await world.get(key, '/me')).user;
    const path = `/workspaces/${personalWorkspaceID}/api-keys`;
    const spare = await world.post(key, path, { name: 'spare', role: 'owner' });
    const headers = { 'X-Workspace-ID': 'default' };
    const gone = `/workspaces/default/api-keys/${id}`;
    expect((await world.ask(spare.token, gone, { method: 'DELETE', headers })).status).toBe(204);
    expect((await send(token)).status).toBe(409);
    expect((await keys()).map(({ metadata, spec }) => [metadata.name, spec.user])).toEqual([
      [spare.id, userID],
    ]);
  });
});

it('a write whose answer was lost is not done twice', async () => {
  const { token } = await invite('ada@example.com');
  const error = new AppError('Unavailable', 'cut');
  let count = 0;
  const stop = world.kube.intercept(({ verb, kind }) => {
    if (verb !== 'replace' || kind !== 'Invitation') return;
    count += 1;
    if (count === 2) world.kube.failNext({ verb, kind, when: 'after', error });
  });
  const { status, json } = await accept(token);
  stop();
  expect([status, count]).toEqual([200, 2]);
  expect((await world.get(json.apiKey.token, '/me')).user.id).toBe(json.userID);
  expect((await world.get(admin, list)).items).toMatchObject([{ state: 'Accepted' }]);
});
