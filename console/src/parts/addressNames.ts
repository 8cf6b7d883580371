import { createContext } from 'react';

/** What the workspace calls addresses, by the addresses in small letters. */
export type AddressNames = ReadonlyMap<string, string>;

export const AddressNamesContext = createContext<AddressNames>(new Map());
