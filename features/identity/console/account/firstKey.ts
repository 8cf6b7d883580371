import { useQuery } from '@tanstack/react-query';
import { useInside, useMay } from '../../../../console/src/session/context.tsx';
import type { Client } from '../../../../sdk/src/client.ts';
import type { ApiKey, Me } from '../../../../sdk/src/generated/types.ts';

const administrator = 'admin';
const name = 'first key of the installation';

/** The first API key of the installation, for its administrator, as long as it is valid. */
export function useFirstKey(): ApiKey | undefined {
  const { me, client } = useInside();
  const mayRead = useMay('api-keys:read');
  const { data } = useQuery({
    queryKey: ['firstKey'],
    meta: { aside: 'The state of the first API key' },
    queryFn: ({ signal }) => findFirstKey(client, me, signal),
    enabled: mayRead && me.user.id === administrator,
  });
  return data ?? undefined;
}

async function findFirstKey(client: Client, { user }: Me, signal: AbortSignal): Promise<ApiKey | null> {
  const workspace = user.personalWorkspaceID;
  if (workspace === undefined) return null;
  for await (const key of client.apiKeys.listAll(workspace, {}, { signal })) {
    if (key.userID === administrator && key.name === name) return key;
  }
  return null;
}
