import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef } from 'react';
import type { Query } from '../../../console/src/ui/Loaded.tsx';
import type { ChainHead, Network } from '../../../sdk/src/generated/types.ts';
import type { Reader } from './reader.ts';
import type { Family } from './search/targets.ts';

export interface Explored {
  network: Network;
  enclaveID: string;
  family: Family;
  reader: Reader;
  /** The newest block, as far as it is known. */
  head: ChainHead | undefined;
}

export const ExplorerContext = createContext<Explored | undefined>(undefined);

/** The chain that the page is about. */
export function useExplored(): Explored {
  const explored = useContext(ExplorerContext);
  if (!explored) throw new Error('this part is on a page of the explorer');
  return explored;
}

/** The first block that the network made itself: what was before a fork is on the public chain. */
export function useFirstBlock(): bigint {
  return BigInt(useExplored().network.status?.fork?.block ?? -1) + 1n;
}

/** What a part of a page shows of the chain, read once. */
export function useChain<T>(
  key: readonly unknown[],
  read: (reader: Reader) => Promise<T>,
): UseQueryResult<T> {
  const { network, enclaveID, reader } = useExplored();
  return useQuery({
    queryKey: ['chain', network.id, enclaveID, ...key],
    queryFn: () => read(reader),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * The same, read again with each new block, until `isFinal` says that it stays as it is. A block that comes during a read has one after it:
 * what was read says for which block.
 */
export function useLiveChain<T>(
  key: readonly unknown[],
  read: (reader: Reader) => Promise<T>,
  isFinal: (value: T) => boolean = () => false,
): Query<T> {
  const { head } = useExplored();
  // A chain that went back has another block of the number.
  const block = head && `${head.number}/${head.hash}`;
  const tried = useRef(block);
  const { data, error, isFetching, refetch } = useChain(['live', ...key], async (reader) => {
    tried.current = block;
    return { block, value: await read(reader) };
  });
  useEffect(() => {
    // What failed is read again with the next block.
    const last = error ? tried.current : data?.block;
    if (isFetching || block === undefined || block === last) return;
    if (data === undefined || !isFinal(data.value)) void refetch();
  });
  return { data: data?.value, error, isFetching, refetch };
}
