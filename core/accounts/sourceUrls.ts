import { createHmac } from 'node:crypto';
import { boxOverhead, decrypt, encrypt, nonceLength } from './aesGcm.ts';

/*
 * The URL of a workspace's fork source, sealed for the engine of one network: a box of AES-256-GCM in base64url. The nonce is an HMAC of place and URL, so that the same URL gives the same
 * text, from which the names of objects derive; two texts share a nonce only if they are the same. Encryption and nonce
 * have keys of their own, derived from the fork key.
 */
/** Seals a URL for the engine at this place. */
export function sealSourceUrl(key: Uint8Array, place: string, url: string): string {
  const nonce = derive(key, 'nonce', `${place} ${url}`).subarray(0, nonceLength);
  const box = encrypt(derive(key, 'key'), Buffer.from(url), { aad: Buffer.from(place), nonce });
  return box.toString('base64url');
}

/** The URL; undefined if it was sealed with another key or for another place, or changed. */
export function openSourceUrl(key: Uint8Array, place: string, sealed: string): string | undefined {
  const box = Buffer.from(sealed, 'base64url');
  // Node also decodes text that is not canonical base64url.
  if (box.length <= boxOverhead || box.toString('base64url') !== sealed) return undefined;
  try {
    return decrypt(derive(key, 'key'), box, Buffer.from(place)).toString('utf8');
  } catch {
    return undefined;
  }
}

function derive(key: Uint8Array, purpose: 'key' | 'nonce', text = ''): Buffer {
  return createHmac('sha256', key).update(`fork source/${purpose}/${text}`).digest();
}
