import { useQuery } from '@tanstack/react-query';
import { collect } from '../../lib/collect.ts';
import { useInside, useMay } from '../../session/context.tsx';

export const membersKey = ['members'];
export const invitationsKey = ['invitations'];

/** The members of the workspace, as far as the user may see them. */
export function useMembers() {
  const { client, me } = useInside();
  const id = me.workspace?.id ?? '';
  return useQuery({
    queryKey: membersKey,
    meta: { aside: 'The list of members' },
    enabled: useMay('memberships:read'),
    queryFn: ({ signal }) => collect(client.memberships.listAll(id, {}, { signal })),
  });
}

/** The invitations of the workspace, the newest first. */
export function useInvitations() {
  const { client, me } = useInside();
  const id = me.workspace?.id ?? '';
  return useQuery({
    queryKey: invitationsKey,
    queryFn: async ({ signal }) => {
      const found = await collect(client.invitations.listAll(id, {}, { signal }));
      return found.sort((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''));
    },
  });
}
