import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useInside } from '../../../console/src/session/context.tsx';

const keyOf = (id: string) => ['calls', id];
const shownCalls = 200;
const intervalMs = 2000;

/** The last calls, read again while `isLive`, until that fails. It neither wakes the network nor keeps it running. */
export function useCalls(id: string, isFailedOnly: boolean, isLive: boolean) {
  const { client } = useInside();
  return useQuery({
    queryKey: [...keyOf(id), isFailedOnly],
    queryFn: ({ signal }) => {
      const failed = isFailedOnly ? ({ failed: 'true' } as const) : {};
      return client.networks.getCalls(id, { limit: shownCalls, ...failed }, { signal });
    },
    refetchInterval: ({ state }) => (isLive && !state.error && state.data?.enabled ? intervalMs : false),
  });
}

/** Switches on or off that calls are kept. */
export function useSwitchCalls(id: string) {
  const { client } = useInside();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => client.networks.switchCalls(id, { enabled }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(id) }),
  });
}
