/** A 32-byte word of storage. */
export function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

/** A string of at most 31 bytes in Solidity's one-slot encoding: the text, and twice its length in the last byte. */
export function shortString(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length > 31) throw new RangeError(`"${text}" does not fit into one slot`);
  const whole = Buffer.alloc(32);
  bytes.copy(whole);
  whole[31] = bytes.length * 2;
  return `0x${whole.toString('hex')}`;
}
