import { keccak_256 } from '@noble/hashes/sha3';

/**
 * Whether an address of 0x and 40 hexadecimal digits is spelled with its checksum (EIP-55), or without one: all letters in
 * one case.
 */
export function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  const small = digits.toLowerCase();
  if (digits === small || digits === digits.toUpperCase()) return true;
  const hash = keccak_256(small);
  return [...digits].every((digit, index) => {
    const byte = hash[index >> 1] ?? 0;
    const isUpper = (index % 2 === 0 ? byte >> 4 : byte & 15) > 7;
    return digit === (isUpper ? digit.toUpperCase() : digit.toLowerCase());
  });
}
