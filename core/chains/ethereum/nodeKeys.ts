import { encodeBase58, SigningKey } from 'ethers';

/** The node id of an execution client: its public key, 64 bytes in hexadecimal. `key` is hexadecimal. */
export function enodeIdOf(key: string): string {
  return new SigningKey(`0x${key}`).publicKey.slice(4);
}

/** Length and kind of a compressed secp256k1 key as libp2p writes it (protobuf), wrapped in an identity multihash. */
const peerIdPrefix = '002508021221';

/** The libp2p peer id of a consensus client: `16Uiu2HA...`. */
export function peerIdOf(key: string): string {
  const bytes = Buffer.from(
    `${peerIdPrefix}${new SigningKey(`0x${key}`).compressedPublicKey.slice(2)}`,
    'hex',
  );
  // The first byte is 0, which base58 encodes as an extra leading 1.
  return `1${encodeBase58(bytes.subarray(1))}`;
}
