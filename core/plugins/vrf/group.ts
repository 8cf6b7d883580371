import { id } from 'ethers';

/** What requests to a committee name as their key: it stays the same when the committee changes. */
export const committeeKeyHash = id('slipway.vrf.mpc');

/** The 32-byte words of hexadecimal text. */
export function wordsOf(hex: string): bigint[] {
  return (hex.match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}

/** A committee's public key as contracts take it: drand writes the imaginary part of a coordinate first. */
export function groupKeyOf(hex: string): bigint[] {
  const [x1 = 0n, x0 = 0n, y1 = 0n, y0 = 0n] = wordsOf(hex);
  return [x0, x1, y0, y1];
}
