import { createPrivateKey, createPublicKey } from 'node:crypto';
import { base58, bech32 } from '@scure/base';
import { ripemd160, SigningKey, sha256 } from 'ethers';
import { AppError } from '../lib/errors.ts';
import { addressOfPrivateKey } from './keys.ts';

const wei = 10n ** 18n;
/** The balance of privateKeyRef's hot key on an EVM chain from the first block on, in wei. */
export const hotBalance = 1_000_000n * wei;
/** The balance of each account of mnemonicRef from the first block on, in wei. */
export const mnemonicBalance = 10_000n * wei;
/** The balance of each workspace member's default key from the first block on, in wei. */
export const memberBalance = 10_000n * wei;

/** Kinds of keys whose accounts are funded at genesis, by chain family. */
export type HotKeyKind = 'evm' | 'solana' | 'thorchain';

/** The prefix of account addresses on a THORChain mocknet (constants/mocknet.go of THORNode). */
const thorchainPrefix = 'tthor';
/** PKCS#8 of an Ed25519 key (RFC 8410, section 7) without the 32 bytes of its seed. */
const ed25519Header = Buffer.from('302e020100300506032b657004220420', 'hex');

const derivations: Record<HotKeyKind, (key: Uint8Array) => string> = {
  evm: addressOfPrivateKey,
  solana: solanaAddressOf,
  thorchain: thorchainAddressOf,
};

/** The address of a private key in its family's text format. Throws BadRequest when the key is not valid for it. */
export function hotAddressOf(kind: HotKeyKind, key: Uint8Array): string {
  return derivations[kind](key);
}

/** Bech32 of RIPEMD-160 of SHA-256 of the compressed public key (Cosmos SDK, ADR-028) of a secp256k1 key. */
function thorchainAddressOf(key: Uint8Array): string {
  // Throws when the bytes are not a secp256k1 key.
  addressOfPrivateKey(key);
  const publicKey = SigningKey.computePublicKey(key, true);
  const digest = Buffer.from(ripemd160(sha256(publicKey)).slice(2), 'hex');
  return bech32.encode(thorchainPrefix, bech32.toWords(digest));
}

/** Base58 of an Ed25519 public key. `key` is a 32-byte seed, or the seed and the public key, as Solana's tools store it. */
function solanaAddressOf(key: Uint8Array): string {
  if (key.length !== 32 && key.length !== 64) {
    throw new AppError(
      'BadRequest',
      `an Ed25519 key is 32 raw bytes, or 64 with its public key; this secret holds ${key.length} bytes`,
    );
  }
  const publicKey = ed25519PublicKeyOf(key.subarray(0, 32));
  if (key.length === 64 && !publicKey.equals(key.subarray(32))) {
    throw new AppError('BadRequest', 'the last 32 of these 64 bytes are not the public key of the first 32');
  }
  return base58.encode(publicKey);
}

function ed25519PublicKeyOf(seed: Uint8Array): Buffer {
  const der = Buffer.concat([ed25519Header, seed]);
  try {
    const { x } = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).export({
      format: 'jwk',
    });
    return Buffer.from(x ?? '', 'base64url');
  } finally {
    der.fill(0);
  }
}
