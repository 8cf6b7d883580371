import { createHmac } from 'node:crypto';

/**
 * The private key of the service's own account in a workspace: it owns what tokens share on a network, and brings
 * messages between networks. HMAC-SHA-256 under the installation's gateway key: nothing is stored, and whichever
 * operator leads finds the same. 32 bytes, to be wiped after use.
 */
export function serviceKeyOf(gatewayKey: Uint8Array, namespace: string): Buffer {
  return createHmac('sha256', gatewayKey).update(`service account/${namespace}`).digest();
}
