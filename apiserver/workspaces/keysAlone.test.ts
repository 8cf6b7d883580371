import { type AccountsApi, admin, startAccountsApi } from '../testing/accountsApi.ts';

/** What API keys alone can do, where no feature adds another way to sign in. */

let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ hasKeysAlone: true });
});
afterEach(() => world.api.close());

const list = '/workspaces/default/invitations';
const ownPage = { 'Sec-Fetch-Site': 'same-origin' };
const accept = (body: object, headers: Record<string, string> = ownPage) =>
  world.ask(null, '/invitations/accept', { body, headers });

it('an invitation opens no session, and nothing of it is used up', async () => {
  const { token } = await world.post(admin, list, { email: 'ada@example.com', role: 'developer' });
  const { status, json, headers } = await accept({ token, signIn: true });
  expect([status, json.message]).toEqual([403, expect.stringContaining('leave signIn out')]);
  expect(headers.getSetCookie()).toEqual([]);
  const joined = await accept({ token });
  expect((await world.get(joined.json.apiKey.token, '/me')).user.id).toBe(joined.json.userID);
});

it('a cookie is nobody', async () => {
  const headers = { ...ownPage, Cookie: `__Host-slipway-session=s${'0'.repeat(24)}.secret` };
  const { status, json } = await world.ask(null, '/me', { headers });
  expect([status, json.message]).toEqual([401, expect.stringContaining('API key is missing')]);
  const { token } = await world.post(admin, list, { email: 'ada@example.com', role: 'viewer' });
  expect((await accept({ token }, headers)).status).toBe(200);
});

it('the first key goes once another owner has one', async () => {
  const revoke = (by: string) =>
    world.ask(by, '/workspaces/default/api-keys/bootstrap', { method: 'DELETE' });
  expect((await revoke(admin)).status).toBe(409);
  const owner = await world.join('owner@example.com', 'owner');
  expect((await revoke(owner.token)).status).toBe(204);
});
