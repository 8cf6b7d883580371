import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** What an access key of a network's RPC URL opens: everyday methods, or those that change the chain by hand too. */
export type Access = 'public' | 'admin';

/**
 * The access key in a network's RPC URLs: HMAC-SHA-256 of the network's uid and the access under the
 * installation's gateway key, its first 18 bytes in base64url (24 characters). Nothing is stored.
 */
export function accessKeyOf(gatewayKey: Uint8Array, networkUid: string, access: Access): string {
  const mac = createHmac('sha256', keyObjectOf(gatewayKey)).update(`rpc/${access}/${networkUid}`).digest();
  return mac.subarray(0, 18).toString('base64url');
}

/** Each reconcile asks for access keys, and to make a key of its bytes costs more than the HMAC itself. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyObjectOf(bytes: Uint8Array): KeyObject {
  const known = keyObjects.get(bytes) ?? createSecretKey(bytes);
  keyObjects.set(bytes, known);
  return known;
}
