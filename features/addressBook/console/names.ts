import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AddressNames } from '../../../console/src/parts/addressNames.ts';
import { useInside, useMay } from '../../../console/src/session/context.tsx';

/** In the first load of the console: what else the book needs is loaded with its pages. */

export const bookKey = ['address-book'];

/** The address book of the workspace. What others named shows when somebody comes back to the tab, or opens the list. */
export function useBook() {
  const { client } = useInside();
  return useQuery({
    queryKey: bookKey,
    enabled: useMay('networks:read'),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
    meta: { aside: 'The names of addresses' },
    queryFn: async ({ signal }) => (await client.addresses.list({ signal })).items,
  });
}

export function useNames(): AddressNames {
  const { data } = useBook();
  return useMemo(() => new Map(data?.map(({ address, name }) => [address, name])), [data]);
}
