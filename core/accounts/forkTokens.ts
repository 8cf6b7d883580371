import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ChainType, chainTypeNames } from '../api/resources/chainSpecs.ts';
import { compact } from '../lib/compact.ts';
import { currentKeyOf, type Keyring } from './keyring.ts';
import { openSourceUrl, sealSourceUrl } from './sourceUrls.ts';

/** What a token opens: a fork source, for the engine of this network. */
export interface ForkScope {
  networkUid: string;
  /** The namespace of its workspace. Absent in paths that an earlier version gave to engines that still run. */
  workspace?: string;
  type: ChainType;
  /** The URL of the workspace's own source; absent: the installation's source of the chain type. */
  ownUrl?: string;
}

/**
 * The path at which the engine of a network reads from its fork source: `/forks/{type}/{workspace}/{network uid}/{token}`, or
 * with a source of the workspace `/forks/{type}/{workspace}/{network uid}/own/{sealed URL}`. The same scope gives the same path.
 */
export function forkPathOf(keys: Keyring, scope: ForkScope): string {
  const key = currentKeyOf(keys);
  const place = placeOf(scope);
  const token =
    scope.ownUrl === undefined ? tokenOf(key, place) : `own/${sealSourceUrl(key, place, scope.ownUrl)}`;
  return `/forks/${place}/${token}`;
}

/** The scope of such a path; undefined if it is another path, or no installed key opens it. */
export function openForkPath({ keys }: Keyring, path: string): ForkScope | undefined {
  const [, typeName, workspace, networkUid, token, sealed] = pattern.exec(path) ?? [];
  const type = chainTypeNames.find((name) => name === typeName);
  if (!type || !networkUid) return undefined;
  const scope = { networkUid, type, ...compact({ workspace }) };
  const candidates = [...keys.values()];
  if (sealed === undefined) {
    return token && candidates.some((key) => isTokenOf(key, placeOf(scope), token)) ? scope : undefined;
  }
  for (const key of candidates) {
    const ownUrl = openSourceUrl(key, placeOf(scope), sealed);
    if (ownUrl !== undefined) return { ...scope, ownUrl };
  }
  return undefined;
}

const pattern =
  /^\/forks\/([A-Za-z0-9]{1,32})\/(?:([a-z0-9-]{1,63})\/)?([A-Za-z0-9-]{1,64})\/(?:([A-Za-z0-9_-]{24})|own\/([A-Za-z0-9_-]{1,4096}))$/;

function placeOf({ type, workspace, networkUid }: ForkScope): string {
  return workspace === undefined ? `${type}/${networkUid}` : `${type}/${workspace}/${networkUid}`;
}

function isTokenOf(key: Uint8Array, place: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(tokenOf(key, place)), Buffer.from(given));
}

/** HMAC-SHA-256 of the scope; the first 18 bytes in base64url (24 characters). Nothing is stored. */
function tokenOf(key: Uint8Array, place: string): string {
  const mac = createHmac('sha256', key).update(`fork/${place}`).digest();
  return mac.subarray(0, 18).toString('base64url');
}
