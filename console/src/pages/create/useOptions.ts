import { useQuery } from '@tanstack/react-query';
import { useInside, useMay } from '../../session/context.tsx';

/** The names of the workspace's secrets, as far as the user may know them. */
export function useSecretNames(): string[] {
  const { client } = useInside();
  const mayRead = useMay('secrets:read');
  const { data = [] } = useQuery({
    queryKey: ['secrets'],
    meta: { aside: 'The list of secrets' },
    enabled: mayRead,
    queryFn: async ({ signal }) => {
      const names: string[] = [];
      for await (const { name } of client.secrets.listAll({}, { signal })) names.push(name);
      return names;
    },
  });
  return data;
}
