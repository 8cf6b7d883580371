import { type ChainType, chainTypes } from '../../lib/chains.ts';

interface CreateSearch {
  /** The snapshot of a network. */
  from?: string;
  type?: ChainType;
  /** Id of a network with the same settings. */
  like?: string;
}

/** With what the form begins. */
export function createSearch(search: Record<string, unknown>): CreateSearch {
  const type = chainTypes.find((one) => one === search.type);
  return {
    ...(typeof search.from === 'string' && search.from !== '' ? { from: search.from } : {}),
    ...(type ? { type } : {}),
    ...(typeof search.like === 'string' && search.like !== '' ? { like: search.like } : {}),
  };
}
