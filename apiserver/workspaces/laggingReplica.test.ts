import { membershipType } from '../../core/api/resources/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import {
  type AccountsApi,
  accountsApiOver,
  admin,
  type Person,
  startAccountsApi,
} from '../testing/accountsApi.ts';
import { createLaggingKube } from '../testing/laggingKube.ts';

const membership = (userId: string) => `/workspaces/default/memberships/${userId}`;
const keys = '/workspaces/default/api-keys';
const aKey = { name: 'own', role: 'developer' };

let world: AccountsApi;
let behind: AccountsApi<Kube>;
let dev: Person;
let oldKey: string;
let hold: () => () => void;
let release: () => void;
beforeEach(async () => {
  world = await startAccountsApi();
  const lagging = createLaggingKube(world.kube, membershipType.kind);
  behind = await accountsApiOver(lagging.kube);
  hold = lagging.hold;
  dev = await world.join('dev@example.com', 'developer');
  oldKey = (await world.post(dev.token, keys, aKey)).token;
  expect((await behind.ask(oldKey, '/me')).status).toBe(200);
});
afterEach(async () => {
  release();
  await Promise.all([world.api.close(), behind.api.close()]);
});

/** Removes the member, and invites the user again: the token of the invitation. */
async function inviteAgain(by: { ask: AccountsApi['ask'] }): Promise<string> {
  release = hold();
  const removed = await by.ask(admin, membership(dev.userId), { method: 'DELETE' });
  expect(removed.status).toBe(204);
  const guest = { email: 'dev@example.com', role: 'developer' };
  return (await world.post(admin, '/workspaces/default/invitations', guest)).token;
}

/** Without a workspace, the first key of an account is for the one that it was removed from. */
const accept = async (at: { ask: AccountsApi['ask'] }, token: string) => {
  const headers = { 'X-Workspace-ID': dev.personal };
  expect((await at.ask(dev.token, '/invitations/accept', { body: { token }, headers })).status).toBe(200);
};

describe('a replica that still knows the former membership of a user', () => {
  it.each([
    ['another replica', () => world],
    ['itself', () => behind],
  ])('accepts keys of the new one, and none of the former one, which %s deleted', async (_who, by) => {
    await accept(world, await inviteAgain(by()));
    const { token: newKey } = await world.post(dev.token, keys, aKey);
    expect((await behind.ask(newKey, '/me')).status).toBe(200);
    for (const one of [world, behind]) expect((await one.ask(oldKey, '/me')).status).toBe(401);
  });

  it('creates keys that work', async () => {
    await accept(world, await inviteAgain(world));
    const { token: newKey } = await behind.post(dev.token, keys, aKey);
    for (const one of [world, behind]) expect((await one.ask(newKey, '/me')).status).toBe(200);
  });

  it('lets the user accept the new invitation', async () => {
    await accept(behind, await inviteAgain(world));
    expect((await world.ask(dev.token, '/me')).json.workspace.id).toBe('default');
  });
});
