/** The part of Ethereum's RLP that transactions need (Yellow Paper, appendix B). */

const maxShortLength = 55;

/** A string of bytes. */
export function rlpBytes(bytes: Buffer): Buffer {
  const [first = 0x80] = bytes;
  if (bytes.length === 1 && first < 0x80) return bytes;
  return Buffer.concat([head(0x80, bytes.length), bytes]);
}

/** A list of items that are already encoded. */
export function rlpList(items: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(items);
  return Buffer.concat([head(0xc0, payload.length), payload]);
}

function head(base: number, length: number): Buffer {
  if (length <= maxShortLength) return Buffer.of(base + length);
  const bytes = bytesOfNumber(BigInt(length));
  return Buffer.concat([Buffer.of(base + maxShortLength + bytes.length), bytes]);
}

/** Big-endian without leading zeros: zero is the empty byte string. */
export function bytesOfNumber(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** The bytes of 0x and an even number of hexadecimal digits. */
export function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
