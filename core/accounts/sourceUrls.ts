import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/*
 * The URL of a workspace's fork source, sealed for the engine of one network: AES-256-GCM in base64url, as 12 bytes of
 * nonce, the cipher text and 16 bytes of tag. The nonce is an HMAC of place and URL, so that the same URL gives the same
 * text, from which the names of objects derive; two texts share a nonce only if they are the same. Encryption and nonce
 * have keys of their own, derived from the fork key.
 */
const nonceLength = 12;
const tagLength = 16;

/** Seals a URL for the engine at this place. */
export function sealSourceUrl(key: Uint8Array, place: string, url: string): string {
  const nonce = derive(key, 'nonce', `${place} ${url}`).subarray(0, nonceLength);
  const cipher = createCipheriv('aes-256-gcm', derive(key, 'key'), nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(place));
  const box = [nonce, cipher.update(url, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(box).toString('base64url');
}

/** The URL; undefined if it was sealed with another key or for another place, or changed. */
export function openSourceUrl(key: Uint8Array, place: string, sealed: string): string | undefined {
  const box = Buffer.from(sealed, 'base64url');
  // Node decodes what is no canonical base64url as well.
  if (box.length <= nonceLength + tagLength || box.toString('base64url') !== sealed) return undefined;
  const nonce = box.subarray(0, nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', derive(key, 'key'), nonce, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(place)).setAuthTag(box.subarray(-tagLength));
  try {
    const plain = [decipher.update(box.subarray(nonceLength, -tagLength)), decipher.final()];
    return Buffer.concat(plain).toString('utf8');
  } catch {
    return undefined;
  }
}

function derive(key: Uint8Array, purpose: 'key' | 'nonce', text = ''): Buffer {
  return createHmac('sha256', key).update(`fork source/${purpose}/${text}`).digest();
}
