import { useContext } from 'react';
import { useInside } from '../session/context.tsx';
import { AddressNamesContext } from './addressNames.ts';
import { texts } from './texts.ts';

/** The name of an address: that of the workspace, or that it is the user's own; undefined if it has none. */
export function useAddressName(): (address: string) => string | undefined {
  const names = useContext(AddressNamesContext);
  const own = useInside().me.user.address?.toLowerCase();
  return (address) => {
    const lower = address.toLowerCase();
    return names.get(lower) ?? (lower === own ? texts.yours : undefined);
  };
}
