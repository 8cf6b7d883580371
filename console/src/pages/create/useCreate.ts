import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useInside } from '../../session/context.tsx';
import { createWithKey, type Wanted } from './createWithKey.ts';

/** Creates the network, with its key before it, and goes to its page. */
export function useCreate() {
  const { client, observe } = useInside();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (wanted: Wanted) => createWithKey(client, wanted),
    onSuccess: (network) => {
      observe(network);
      void navigate({ to: '/networks/$id', params: { id: network.id } });
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['secrets'] }),
  });
}
