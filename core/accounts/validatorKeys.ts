import { createHash, hkdfSync } from 'node:crypto';
import { Mnemonic } from 'ethers';
import { checkedPhrase } from './keys.ts';

/** Order of the BLS12-381 groups. */
const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
/** Bytes of the output from which a key is reduced: ceil(1.5 · ceil(log2(order)) / 8). */
const keyMaterialLength = 48;
const chunks = 255;
/** m/12381/3600 of EIP-2334: the BLS12-381 keys of Ethereum validators. */
const validatorPath = [12_381, 3_600];

/**
 * The key of m/12381/3600 (EIP-2334) of a BIP-39 mnemonic, 32 bytes in hexadecimal: all validator keys derive from
 * it, the keys of the mnemonic's accounts do not. Throws BadRequest when a word or the checksum is invalid.
 */
export function validatorKeyOfMnemonic(text: Uint8Array): string {
  const seed = Mnemonic.fromPhrase(checkedPhrase(text)).computeSeed();
  return validatorKeyOfSeed(Buffer.from(seed.slice(2), 'hex'));
}

/** Like validatorKeyOfMnemonic, from a seed of at least 32 bytes. */
function validatorKeyOfSeed(seed: Uint8Array): string {
  const key = validatorPath.reduce(deriveChildKey, deriveMasterKey(seed));
  return toBytes(key).toString('hex');
}

/** derive_master_SK of EIP-2333. */
export function deriveMasterKey(seed: Uint8Array): bigint {
  return keyOf(seed);
}

/** derive_child_SK of EIP-2333. */
export function deriveChildKey(parent: bigint, index: number): bigint {
  return keyOf(lamportPublicKey(parent, index));
}

/** hkdf_mod_r of EIP-2333. */
function keyOf(material: Uint8Array): bigint {
  const info = Buffer.from([0, keyMaterialLength]);
  const padded = Buffer.concat([material, Buffer.from([0])]);
  let salt: Buffer = Buffer.from('BLS-SIG-KEYGEN-SALT-');
  for (;;) {
    salt = sha256(salt);
    const output = Buffer.from(hkdfSync('sha256', padded, salt, info, keyMaterialLength));
    const key = toNumber(output) % order;
    if (key !== 0n) return key;
  }
}

/** parent_SK_to_lamport_PK of EIP-2333. */
function lamportPublicKey(parent: bigint, index: number): Buffer {
  const salt = Buffer.alloc(4);
  salt.writeUInt32BE(index);
  const secret = toBytes(parent);
  const flipped = Buffer.from(secret.map((byte) => byte ^ 0xff));
  const hashes = [secret, flipped].flatMap((material) => lamportSecretKey(material, salt).map(sha256));
  return sha256(Buffer.concat(hashes));
}

function lamportSecretKey(material: Uint8Array, salt: Uint8Array): Buffer[] {
  const output = Buffer.from(hkdfSync('sha256', material, salt, Buffer.alloc(0), chunks * 32));
  return Array.from({ length: chunks }, (_, at) => output.subarray(at * 32, (at + 1) * 32));
}

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

function toNumber(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
