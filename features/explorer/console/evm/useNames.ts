import { useChain } from '../context.tsx';
import type { NamedContract } from '../reader.ts';

const none: ReadonlyMap<string, NamedContract> = new Map();

/** What is known of contracts, by address in small letters. Pages show addresses until it is there. */
export function useNames(addresses: readonly string[]): ReadonlyMap<string, NamedContract> {
  const wanted = [...new Set(addresses.map((address) => address.toLowerCase()))].sort();
  return useChain(['names', wanted], (reader) => reader.name(wanted)).data ?? none;
}
