import { useQuery } from '@tanstack/react-query';
import { useInside, useMay } from '../../session/context.tsx';

/** The type of the sources of forks. All other types are the user's own, and may be those of keys. */
const sourceType = 'rpc-url';

/** The names of the workspace's secrets that may be keys, as far as the user may know them. */
export function useKeyNames(): string[] {
  const { client } = useInside();
  const mayRead = useMay('secrets:read');
  const { data = [] } = useQuery({
    queryKey: ['secrets'],
    meta: { aside: 'The list of secrets' },
    enabled: mayRead,
    queryFn: async ({ signal }) => {
      const names: string[] = [];
      for await (const { name, type } of client.secrets.listAll({}, { signal }))
        if (type !== sourceType) names.push(name);
      return names;
    },
  });
  return data;
}
