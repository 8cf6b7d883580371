import { type ChainType, chainTypes } from '../../lib/chains.ts';

/** With what the form begins: the snapshot of a network, and the type of its chain. */
export function createSearch(search: Record<string, unknown>): { from?: string; type?: ChainType } {
  const type = chainTypes.find((one) => one === search.type);
  return {
    ...(typeof search.from === 'string' && search.from !== '' ? { from: search.from } : {}),
    ...(type ? { type } : {}),
  };
}
