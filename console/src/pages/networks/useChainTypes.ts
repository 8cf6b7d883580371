import { useQuery } from '@tanstack/react-query';
import type { ChainTypeList } from '../../../../sdk/src/generated/types.ts';
import { useInside } from '../../session/context.tsx';

/** What networks of this installation can be, once that is known. */
export function useChainTypes(): ChainTypeList | undefined {
  const { client } = useInside();
  const { data } = useQuery({
    queryKey: ['chainTypes'],
    meta: { aside: 'What this installation can run' },
    queryFn: ({ signal }) => client.networks.listChainTypes({ signal }),
  });
  return data;
}
