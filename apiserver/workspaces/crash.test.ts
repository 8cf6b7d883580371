import type { Kube } from '../../core/kube/kube.ts';
import { type AccountsApi, admin } from '../testing/accountsApi.ts';
import { expectCalm, runStory, type Story } from '../testing/crash.ts';

/** A replica crashes before or after each of its writes; the caller repeats the request at another replica. */

const team = async (world: AccountsApi<Kube>) => {
  const { id } = await world.post(admin, '/workspaces', { name: 'team' });
  return String(id);
};
const invite = (world: AccountsApi<Kube>, workspace: string, role: string) =>
  world.post(admin, `/workspaces/${workspace}/invitations`, { email: 'ada@example.com', role });
const member = async (world: AccountsApi<Kube>, role: string) => {
  const workspace = await team(world);
  const { userId } = await world.join('ada@example.com', role, { workspace });
  return `/workspaces/${workspace}/memberships/${userId}`;
};
const remove = (path: string) => ({ token: admin, path, options: { method: 'DELETE' } });
const setRole = (path: string, role: string) => ({
  token: admin,
  path,
  options: { method: 'PUT', body: { role } },
});
const post = (path: string, body: object, token: string | null = admin) => ({
  token,
  path,
  options: { body },
});

const stories: [name: string, story: Story][] = [
  [
    'an invitation is accepted without an account',
    async (world) => {
      const { token } = await invite(world, 'default', 'developer');
      return post('/invitations/accept', { token }, null);
    },
  ],
  [
    'an invitation as owner is accepted without an account',
    async (world) => {
      const { token } = await invite(world, await team(world), 'owner');
      return post('/invitations/accept', { token }, null);
    },
  ],
  [
    'an invitation as owner is accepted with an account',
    async (world) => {
      const ada = await world.join('ada@example.com', 'developer');
      const { token } = await invite(world, await team(world), 'owner');
      return post('/invitations/accept', { token }, ada.token);
    },
  ],
  [
    'somebody is invited',
    async () => post('/workspaces/default/invitations', { email: 'a@example.com', role: 'admin' }),
  ],
  [
    'an invitation is revoked',
    async (world) =>
      remove(`/workspaces/default/invitations/${(await invite(world, 'default', 'viewer')).id}`),
  ],
  ['a workspace is created', async () => post('/workspaces', { name: 'new' })],
  ['a workspace is deleted', async (world) => remove(`/workspaces/${await team(world)}`)],
  ['a member is removed', async (world) => remove(await member(world, 'developer'))],
  ['an owner is removed', async (world) => remove(await member(world, 'owner'))],
  ['a member becomes an owner', async (world) => setRole(await member(world, 'developer'), 'owner')],
  ['an owner becomes a viewer', async (world) => setRole(await member(world, 'owner'), 'viewer')],
  ['an API key is created', async () => post('/workspaces/default/api-keys', { name: 'k', role: 'viewer' })],
  [
    'an API key is revoked',
    async (world) => {
      const { id } = await world.post(admin, '/workspaces/default/api-keys', { name: 'k', role: 'viewer' });
      return remove(`/workspaces/default/api-keys/${id}`);
    },
  ],
  [
    'the first API key of the installation is revoked',
    async (world) => {
      const { token } = await world.join('ada@example.com', 'owner');
      return { ...remove('/workspaces/default/api-keys/bootstrap'), token };
    },
  ],
  [
    'a secret is created',
    async () =>
      post('/v1alpha/secrets', { name: 'k', type: 'opaque', data: Buffer.from('x').toString('base64') }),
  ],
];

test.each(stories)(
  '%s: a crash at any write and a repeat leave the same as a calm run',
  async (_name, story) => expectCalm(story),
);

test('the credentials in the repeated answer are valid, and there are no others', async () => {
  const [, story] = stories[0] ?? [];
  if (!story) throw new Error('no story');
  const calm = await runStory(story);
  for (let at = 1; at <= calm.writes.length; at++) {
    const { state } = await runStory(story, {
      death: { at, when: 'after' },
      async check(world, { json }) {
        const me = await world.get(json.apiKey.token, '/me');
        expect([me.user.id, me.workspace.id]).toEqual([json.userID, 'default']);
      },
    });
    const kinds = state.map((object) => (object as { kind: string }).kind);
    expect(kinds.filter((kind) => kind === 'ApiKey')).toHaveLength(1);
  }
});
