import { createHmac } from 'node:crypto';

/**
 * 32 secret bytes in hexadecimal, for one purpose of one network's engines: HMAC-SHA-256 under an
 * engine key of the installation. Nothing is stored: an operator that restarts derives the same bytes.
 */
export function deriveSecret(engineKey: Uint8Array, networkUid: string, purpose: string): string {
  return createHmac('sha256', engineKey).update(`engine/${networkUid}/${purpose}`).digest('hex');
}
