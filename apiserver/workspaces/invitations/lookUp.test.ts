import { createManualClock } from '../../../core/lib/manualClock.ts';
import { type AccountsApi, admin, startAccountsApi } from '../../testing/accountsApi.ts';

const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
});
afterEach(() => world.api.close());

const list = '/workspaces/default/invitations';
const invite = (role = 'developer') => world.post(admin, list, { email: 'ada@example.com', role });
const lookUp = (token: string) => world.ask(null, '/invitations/look-up', { body: { token } });

test('whoever has the token sees what the invitation offers', async () => {
  const { token } = await invite();
  const { status, json } = await lookUp(token);
  expect(status).toBe(200);
  expect(json).toEqual({
    kind: 'InvitationOffer',
    version: 'v1alpha1',
    workspaceID: 'default',
    workspaceName: 'default',
    role: 'developer',
    email: 'ada@example.com',
    inviter: 'Administrator',
    emailVerified: false,
    expiresAt: '2030-01-08T00:00:00Z',
  });
});

test('looking uses nothing up', async () => {
  const { token } = await invite();
  await lookUp(token);
  expect((await lookUp(token)).status).toBe(200);
});

test.each([
  ['unknown', 404, async () => `i${'0'.repeat(24)}.secret`],
  [
    'revoked',
    409,
    async () => {
      const { id, token } = await invite();
      await world.ask(admin, `${list}/${id}`, { method: 'DELETE' });
      return token;
    },
  ],
  [
    'accepted',
    409,
    async () => {
      const { token } = await invite();
      await world.ask(null, '/invitations/accept', { body: { token } });
      return token;
    },
  ],
  [
    'expired',
    409,
    async () => {
      const { token } = await invite();
      clock.advance(8 * 86_400_000);
      return token;
    },
  ],
] as const)('a token that is %s shows nothing', async (_what, expected, make) => {
  const { status, json } = await lookUp(await make());
  expect([status, json.workspaceName]).toEqual([expected, undefined]);
});
