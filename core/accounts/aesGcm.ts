import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '../lib/errors.ts';

export const nonceLength = 12;
const tagLength = 16;
/** What a box holds in addition to the cipher text. */
export const boxOverhead = nonceLength + tagLength;

interface EncryptOptions {
  /** Additional authenticated data. */
  aad: Buffer;
  /** Random unless given: never two texts under one key with the same nonce. */
  nonce?: Buffer;
}

/** AES-256-GCM as a box: 12 bytes of nonce, the cipher text, 16 bytes of tag. */
export function encrypt(key: Uint8Array, plain: Uint8Array, options: EncryptOptions): Buffer {
  const { aad, nonce = randomBytes(nonceLength) } = options;
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws unless the box holds a whole nonce and a whole tag: GCM itself would accept tags of 4 bytes. */
export function decrypt(key: Uint8Array, box: Buffer, aad: Buffer): Buffer {
  if (box.length < boxOverhead) throw new AppError('Internal', 'its data is truncated');
  const nonce = box.subarray(0, nonceLength);
  const tag = box.subarray(box.length - tagLength);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
    .setAAD(aad)
    .setAuthTag(tag);
  return Buffer.concat([
    decipher.update(box.subarray(nonceLength, box.length - tagLength)),
    decipher.final(),
  ]);
}
