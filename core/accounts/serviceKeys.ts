import { createHmac } from 'node:crypto';

/**
 * The private key of the service's own account in a workspace: the account owns the contracts that tokens share on a
 * network, and relays messages between networks. HMAC-SHA-256 under the installation's gateway key: nothing is
 * stored, and every leader derives the same key. 32 bytes; the caller wipes them after use.
 */
export function serviceKeyOf(gatewayKey: Uint8Array, namespace: string): Buffer {
  return createHmac('sha256', gatewayKey).update(`service account/${namespace}`).digest();
}
