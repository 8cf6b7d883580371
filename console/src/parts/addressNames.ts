import { createContext, useContext } from 'react';

/** What the workspace calls addresses, by the addresses in small letters. */
export type AddressNames = ReadonlyMap<string, string>;

export const AddressNamesContext = createContext<AddressNames>(new Map());

/** The name of an address; undefined if it has none. */
export function useAddressName(): (address: string) => string | undefined {
  const names = useContext(AddressNamesContext);
  return (address) => names.get(address.toLowerCase());
}
