import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useInside } from '../../../../console/src/session/context.tsx';
import type { KnownContract } from '../../../../sdk/src/generated/types.ts';
import { useSettled } from './useSettled.ts';

const maxFound = 20;

/** Shorter texts find too much; numbers, addresses and hashes are looked for on chains. */
const isName = (text: string) =>
  text.length > 1 && text.length < 100 && !/^([\d#,_]+|0x[\da-f]*)$/i.test(text);

/**
 * The contracts of all networks whose names have a text, also of those that are stopped: one request for the workspace, once
 * the user pauses.
 */
export function useContracts(text: string): { contracts: readonly KnownContract[]; isLooking: boolean } {
  const { client } = useInside();
  const name = useSettled(text.trim());
  const enabled = isName(name);
  const { data, isFetching } = useQuery({
    queryKey: ['contractsNamed', name],
    enabled,
    queryFn: ({ signal }) => client.contracts.listOfWorkspace({ name, limit: maxFound }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return { contracts: enabled && data ? data.items : [], isLooking: isFetching };
}
