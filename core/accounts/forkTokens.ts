import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ChainType, chainTypeNames } from '../api/resources/chainSpecs.ts';
import { currentKeyOf, type Keyring } from './keyring.ts';

/** What a token opens: the fork source of this chain type, for the engine of this network. */
export interface ForkScope {
  networkUid: string;
  type: ChainType;
}

/** The path at which the engine of a network reads from its fork source: `/forks/{type}/{network uid}/{token}`. */
export function forkPathOf(keys: Keyring, scope: ForkScope): string {
  return `/forks/${scope.type}/${scope.networkUid}/${tokenOf(currentKeyOf(keys), scope)}`;
}

/** The scope of such a path; undefined if it is another path, or no installed key gives its token. */
export function openForkPath(keys: Keyring, path: string): ForkScope | undefined {
  const [, typeName, networkUid, token] = pattern.exec(path) ?? [];
  const type = chainTypeNames.find((name) => name === typeName);
  if (!type || !networkUid || !token) return undefined;
  const scope = { networkUid, type };
  const given = Buffer.from(token);
  const isOpen = [...keys.keys.values()].some((key) =>
    timingSafeEqual(Buffer.from(tokenOf(key, scope)), given),
  );
  return isOpen ? scope : undefined;
}

const pattern = /^\/forks\/([A-Za-z0-9]{1,32})\/([A-Za-z0-9-]{1,64})\/([A-Za-z0-9_-]{24})$/;

/** HMAC-SHA-256 of the scope; the first 18 bytes in base64url (24 characters). Nothing is stored. */
function tokenOf(key: Uint8Array, { networkUid, type }: ForkScope): string {
  const mac = createHmac('sha256', key).update(`fork/${type}/${networkUid}`).digest();
  return mac.subarray(0, 18).toString('base64url');
}
