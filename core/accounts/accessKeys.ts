import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** What an access key of a network's RPC URL opens: ordinary methods, or also those that manipulate the chain. */
export type Access = 'public' | 'admin';

/**
 * The access key in a network's RPC URLs: HMAC-SHA-256 of the network's uid and the access level under the
 * installation's gateway key; the first 18 bytes in base64url (24 characters). Nothing is stored.
 */
export function accessKeyOf(gatewayKey: Uint8Array, networkUid: string, access: Access): string {
  const mac = createHmac('sha256', keyObjectOf(gatewayKey)).update(`rpc/${access}/${networkUid}`).digest();
  return mac.subarray(0, 18).toString('base64url');
}

/** Every reconcile needs access keys, and creating a KeyObject costs more than the HMAC itself. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyObjectOf(bytes: Uint8Array): KeyObject {
  const known = keyObjects.get(bytes) ?? createSecretKey(bytes);
  keyObjects.set(bytes, known);
  return known;
}
