import { invitationType } from '../../../core/api/resources/resources.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { type AccountsApi, admin, startAccountsApi } from '../../testing/accountsApi.ts';
import { invitationsOf } from './testing/invitations.ts';

const day = 24 * 3600 * 1000;
const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));
let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock });
});
afterEach(() => world.api.close());

const { invite, accept, revoke, stateOf } = invitationsOf(() => world);

test.each([
  ['User', 'create'],
  ['Workspace', 'create'],
  ['Membership', 'create'],
  ['ApiKey', 'create'],
  ['Invitation', 'replace'],
] as const)('interrupted at the %s, it can be accepted again with the same result', async (kind, verb) => {
  for (const when of ['before', 'after'] as const) {
    const email = `${kind}-${when}@example.com`.toLowerCase();
    const { token } = await invite(email);
    world.kube.failNext({ verb, kind, when, error: new AppError('Unavailable', 'cut') });
    expect((await accept(token)).status).toBe(503);
    const answer = await accept(token);
    expect([answer.status, answer.json.email]).toEqual([200, email]);
    expect(await world.get(answer.json.apiKey.token, '/me')).toMatchObject({ user: { email } });
  }
});

describe('an invitation whose acceptance was interrupted', () => {
  const remove = (userId: string) =>
    world.ask(admin, `/workspaces/default/memberships/${userId}`, { method: 'DELETE' });
  /** Ada has used its token; `isMember`: she is a member already. */
  async function interrupted({ isMember }: { isMember: boolean }) {
    const workspace = await world.post(admin, '/workspaces', { name: 'elsewhere' });
    const ada = await world.join('ada@example.com', 'developer', { workspace: workspace.id });
    const { id, token } = await invite('ada@example.com');
    if (isMember) await accept(token, ada.token);
    const name = { namespace: 'slipway-system', name: id };
    const status = { state: 'Accepting', acceptedBy: ada.userId };
    await world.kube.patch(invitationType, name, { status }, 'status');
    return { id, ada, again: async () => (await accept(token, ada.token)).status };
  }

  it('can be accepted again by the same user, until it expires', async () => {
    const { again } = await interrupted({ isMember: false });
    expect(await again()).toBe(200);
    const late = await interrupted({ isMember: false });
    clock.advance(8 * day);
    expect(await late.again()).toBe(409);
  });

  it('can be revoked', async () => {
    const { id, again } = await interrupted({ isMember: false });
    expect((await revoke(id)).status).toBe(204);
    expect(await again()).toBe(409);
    expect(await stateOf(id)).toBe('Revoked');
  });

  it('makes nobody a member when it is revoked while it is accepted', async () => {
    const { id, token } = await invite('ada@example.com', 'owner');
    const ada = await world.join('ada@example.com', 'developer', {
      workspace: (await world.post(admin, '/workspaces', { name: 'elsewhere' })).id,
    });
    const joining = world.kube.create.bind(world.kube);
    world.kube.create = async (type, object) => {
      if (type.kind === 'Membership') expect((await revoke(id)).status).toBe(204);
      return joining(type, object);
    };
    const { status, json } = await accept(token, ada.token);
    expect([status, json.message]).toEqual([409, 'the invitation is revoked: ask for a new one']);
    const { items } = await world.get(admin, '/workspaces/default/memberships');
    expect(items.map(({ userID }: { userID: string }) => userID)).toEqual(['admin']);
    expect(await stateOf(id)).toBe('Revoked');
  });

  it('does not bring back a member who was removed', async () => {
    const { id, ada, again } = await interrupted({ isMember: true });
    expect((await revoke(id)).json.message).toContain('remove the member instead');
    expect((await remove(ada.userId)).status).toBe(204);
    expect(await again()).toBe(409);
    expect(await stateOf(id)).toBe('Accepted');
  });
});
