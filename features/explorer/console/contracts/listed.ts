import type { KnownContract } from '../../../../sdk/src/generated/types.ts';
import { contractName } from '../contractName.ts';
import { texts } from './texts.ts';

/** A row of the list. */
export interface Listed {
  address: string;
  name: string;
  /** What the compiler calls it. */
  fullName: string;
  origin: string;
  token?: KnownContract['token'];
}

type Kept = Pick<Listed, 'address' | 'name'>;

const origins: Readonly<Record<string, string>> = texts.origins;

/** What the service knows, and what this browser alone does, by address. */
export function listedOf(known: readonly KnownContract[], kept: readonly Kept[], part: string): Listed[] {
  const wanted = part.trim().toLowerCase();
  const addresses = new Set(known.map(({ address }) => address.toLowerCase()));
  const own = kept.filter(
    ({ address, name }) => !addresses.has(address.toLowerCase()) && name.toLowerCase().includes(wanted),
  );
  const all = [
    ...known.map(({ address, name, origin, token }) => ({
      address,
      name: contractName(name),
      fullName: name,
      origin: origins[origin] ?? origin,
      token,
    })),
    ...own.map(({ address, name }) => ({ address, name, fullName: name, origin: texts.origins.browser })),
  ];
  return all.sort((one, other) => (one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1));
}
