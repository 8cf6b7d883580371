import { randomBytes } from 'node:crypto';
import { getAddress, keccak256, solidityPacked, solidityPackedKeccak256 } from 'ethers';
import {
  curve,
  fieldSize,
  groupSize,
  inverse,
  mod,
  multiply,
  multiplyBase,
  type Point,
  root,
  word,
} from './curve.ts';

/** The argument of VRFCoordinatorV2_5.fulfillRandomWords, in the order of VRF.sol's struct Proof. */
export interface Proof {
  pk: Point;
  gamma: Point;
  c: bigint;
  s: bigint;
  seed: bigint;
  uWitness: string;
  cGammaWitness: Point;
  sHashWitness: Point;
  zInv: bigint;
}

/** What a request is proven from. */
interface Seed {
  preSeed: bigint;
  /** Of the request's block: unknown to whoever made the request. */
  blockHash: string;
}

const numberOf = (types: string[], values: unknown[]) => BigInt(solidityPackedKeccak256(types, values));

export function publicKeyOf(secretKey: bigint): Point {
  return multiplyBase(secretKey);
}

/** The name of a key on the chain. */
export function keyHashOf(publicKey: Point): string {
  return solidityPackedKeccak256(['uint256[2]'], [publicKey]);
}

/** A secret key from 32 bytes in hexadecimal. */
export function secretKeyOf(hex: string): bigint {
  return mod(BigInt(`0x${hex}`), groupSize - 1n) + 1n;
}

/** Proves that the random number of a request follows from the key: ECVRF on secp256k1 with Keccak, as VRF.sol verifies it. */
export function prove(secretKey: bigint, { preSeed, blockHash }: Seed): Proof {
  const pk = publicKeyOf(secretKey);
  const hash = hashToCurve(pk, numberOf(['uint256', 'bytes32'], [preSeed, blockHash]));
  const gamma = multiply(hash, secretKey);
  const nonce = mod(BigInt(`0x${randomBytes(48).toString('hex')}`), groupSize - 1n) + 1n;
  const uWitness = addressOf(multiplyBase(nonce));
  const points = ['uint256[2]', 'uint256[2]', 'uint256[2]', 'uint256[2]'];
  const values = [2n, hash, pk, gamma, multiply(hash, nonce), uWitness];
  const c = numberOf(['uint256', ...points, 'address'], values);
  const s = mod(nonce - c * secretKey, groupSize);
  const cGammaWitness = multiply(gamma, c);
  const sHashWitness = multiply(hash, s);
  // The verifier adds these two points in projective coordinates, and gets the inverse of z from the proof.
  const z = mod(sHashWitness[0] - cGammaWitness[0], fieldSize) ** 5n;
  return { pk, gamma, c, s, seed: preSeed, uWitness, cGammaWitness, sHashWitness, zInv: inverse(z) };
}

function hashToCurve(publicKey: Point, seed: bigint): Point {
  let [x, y] = candidate(solidityPacked(['uint256', 'uint256[2]', 'uint256'], [1n, publicKey, seed]));
  while (mod(y * y, fieldSize) !== curve(x)) [x, y] = candidate(word(x));
  return [x, y];
}

function candidate(bytes: string): Point {
  const x = fieldHash(bytes);
  const y = root(curve(x));
  return [x, y & 1n ? fieldSize - y : y];
}

function fieldHash(bytes: string): bigint {
  let hash = keccak256(bytes);
  while (BigInt(hash) >= fieldSize) hash = keccak256(hash);
  return BigInt(hash);
}

function addressOf(point: Point): string {
  return getAddress(`0x${solidityPackedKeccak256(['uint256', 'uint256'], point).slice(-40)}`);
}
