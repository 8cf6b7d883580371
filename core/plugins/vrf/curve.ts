import { SigningKey } from 'ethers';

/** Arithmetic on secp256k1, as far as VRF proofs need it. Multiplication is that of ethers. */

/** A point that is not the point at infinity. */
export type Point = readonly [x: bigint, y: bigint];

/** The size of the field, and of the group. */
export const fieldSize = 2n ** 256n - 2n ** 32n - 977n;
export const groupSize = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = mod(base, fieldSize);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % fieldSize;
    square = (square * square) % fieldSize;
  }
  return result;
}

export const inverse = (value: bigint) => power(value, fieldSize - 2n);
/** A root of a square; of another number, anything. */
export const root = (value: bigint) => power(value, (fieldSize + 1n) / 4n);
/** The square of y for a point with this x. */
export const curve = (x: bigint) => mod(x * x * x + 7n, fieldSize);

export const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

/** The generator times `scalar`, which is neither 0 nor a multiple of the group's size. */
export function multiplyBase(scalar: bigint): Point {
  return pointOf(SigningKey.computePublicKey(word(mod(scalar, groupSize)), false));
}

export function multiply(point: Point, scalar: bigint): Point {
  return pointOf(new SigningKey(word(mod(scalar, groupSize))).computeSharedSecret(textOf(point)));
}

const textOf = ([x, y]: Point) => `0x04${word(x).slice(2)}${word(y).slice(2)}`;

function pointOf(uncompressed: string): Point {
  return [BigInt(`0x${uncompressed.slice(4, 68)}`), BigInt(`0x${uncompressed.slice(68, 132)}`)];
}
