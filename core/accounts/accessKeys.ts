import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** What an access key of a network's RPC URL opens: ordinary methods, or also those that manipulate the chain. */
export const accessLevels = ['public', 'admin'] as const;
export type Access = (typeof accessLevels)[number];

interface AccessKeyInput {
  networkUid: string;
  access: Access;
  /** How often the network's key for this access was rotated. */
  epoch: number;
}

/**
 * The access key in a network's RPC URLs: HMAC-SHA-256 of the network's uid, the access level and its epoch under a key
 * of the installation; the first 18 bytes in base64url (24 characters). Nothing is stored.
 */
export function accessKeyOf(key: Uint8Array, { networkUid, access, epoch }: AccessKeyInput): string {
  const mac = createHmac('sha256', keyObjectOf(key)).update(`rpc/${access}/${epoch}/${networkUid}`).digest();
  return mac.subarray(0, 18).toString('base64url');
}

/** Every reconcile needs access keys, and creating a KeyObject costs more than the HMAC itself. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyObjectOf(bytes: Uint8Array): KeyObject {
  const known = keyObjects.get(bytes) ?? createSecretKey(bytes);
  keyObjects.set(bytes, known);
  return known;
}
