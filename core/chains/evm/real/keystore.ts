import { createCipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { computeAddress, keccak256 } from 'ethers';

const keyLength = 32;

/** The address of a private key in hexadecimal, without prefix. */
export function addressOf(key: string): string {
  return computeAddress(`0x${key}`);
}

/**
 * A private key in geth's key store format (Web3 Secret Storage, version 3), always the same for the same key. One
 * iteration: the password lies beside it, so guessing is not a concern.
 */
export function renderKeystore(key: string, password: string): string {
  const salt = createHash('sha256').update(`salt/${key}`).digest();
  const iv = salt.subarray(0, 16);
  const derived = pbkdf2Sync(password, salt, 1, keyLength, 'sha256');
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(key, 'hex')), cipher.final()]);
  const mac = keccak256(Buffer.concat([derived.subarray(16), ciphertext]));
  return JSON.stringify({
    version: 3,
    id: uuidOf(salt),
    address: addressOf(key).slice(2).toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'pbkdf2',
      kdfparams: { c: 1, dklen: keyLength, prf: 'hmac-sha256', salt: salt.toString('hex') },
      mac: mac.slice(2),
    },
  });
}

function uuidOf(bytes: Buffer): string {
  return bytes
    .toString('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
