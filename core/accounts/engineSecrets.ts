import { createHmac } from 'node:crypto';

/**
 * 32 secret bytes in hexadecimal, for one purpose of one network's engines: HMAC-SHA-256 under the installation's
 * gateway key. Nothing is stored: an operator that restarts derives the same bytes.
 */
export function deriveSecret(gatewayKey: Uint8Array, networkUid: string, purpose: string): string {
  return createHmac('sha256', gatewayKey).update(`engine/${networkUid}/${purpose}`).digest('hex');
}
