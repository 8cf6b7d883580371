import { type AccountsApi, admin } from '../../../testing/accountsApi.ts';

export const list = '/workspaces/default/invitations';

/** What callers do with invitations to the default workspace; `world` is the API of the running test. */
export function invitationsOf(world: () => AccountsApi) {
  return {
    invite: (email: string, role = 'developer', more: object = {}) =>
      world().post(admin, list, { email, role, ...more }),
    accept: (token: string, by: string | null = null) =>
      world().ask(by, '/invitations/accept', { body: { token } }),
    revoke: (id: string) => world().ask(admin, `${list}/${id}`, { method: 'DELETE' }),
    async stateOf(id: string) {
      const { items } = await world().get(admin, list);
      return items.find((item: { id: string }) => item.id === id).state;
    },
  };
}
