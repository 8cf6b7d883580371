import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '../../../../sdk/src/generated/types.ts';
import { collect } from '../../lib/collect.ts';
import { useInside } from '../../session/context.tsx';

export const apiKeysKey = ['apiKeys'];

/** The keys that the user may see, the newest first. */
export function useApiKeys() {
  const { client, me } = useInside();
  const id = me.workspace?.id ?? '';
  return useQuery({
    queryKey: apiKeysKey,
    queryFn: async ({ signal }) => {
      const found = await collect(client.apiKeys.listAll(id, {}, { signal }));
      const begin = ({ createdAt = '' }: ApiKey) => createdAt;
      return found.sort((a, b) => begin(b).localeCompare(begin(a)));
    },
  });
}

/** The permissions of each role, which no change of the workspace changes. */
export function usePermissions() {
  const { client } = useInside();
  return useQuery({
    queryKey: ['permissions'],
    meta: { aside: 'The list of permissions' },
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => client.account.listPermissions({ signal }),
  });
}
