import { createHmac } from 'node:crypto';
import { computeAddress, SigningKey } from 'ethers';
import type { SigningKey as PublicKey, SignatureRecord } from './records.ts';

/**
 * The keys of wallets. No private key is stored: each derives from the secret of the plugin and the key's id, so whoever has
 * only the database has none.
 */
export interface Keys {
  publicKeyOf(keyId: string): PublicKey;
  addressOf(keyId: string): string;
  /** Signs 32 bytes, in 0x-prefixed hexadecimal. */
  sign(keyId: string, digest: string): SignatureRecord['signature'];
}

export function createKeys(master: Uint8Array): Keys {
  const keyOf = (id: string) =>
    new SigningKey(`0x${createHmac('sha256', master).update(`key/${id}`).digest('hex')}`);
  return {
    publicKeyOf: (id) => ({
      id,
      scheme: 'ECDSA',
      curve: 'secp256k1',
      publicKey: keyOf(id).compressedPublicKey.slice(2),
    }),
    addressOf: (id) => computeAddress(keyOf(id).publicKey),
    sign(id, digest) {
      const { r, s, yParity, serialized } = keyOf(id).sign(digest);
      return { r, s, recid: yParity, encoded: serialized };
    },
  };
}
