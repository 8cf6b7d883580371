import { createHmac } from 'node:crypto';

/**
 * The private key of the service's own account in a workspace: the account owns the contracts that tokens share on a
 * network, and relays messages between networks. HMAC-SHA-256 under a service account key of the installation: nothing is
 * stored, and every leader derives the same key. 32 bytes; the caller wipes them after use.
 */
export function serviceKeyOf(installationKey: Uint8Array, namespace: string): Buffer {
  return createHmac('sha256', installationKey).update(`service account/${namespace}`).digest();
}
