import { hotAddressOf } from './hotKeys.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** Foundry's first key, whose addresses are known in every form. */
const secp256k1 = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** Test 1 of RFC 8032 (7.1). */
const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const ed25519PublicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

type Kind = Parameters<typeof hotAddressOf>[0];

const known: [string, Kind, string, string][] = [
  ['EIP-55', 'evm', secp256k1, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
  ['as cosmjs formats it', 'thorchain', secp256k1, 'tthor15428vq2uzwhm3taey9sr9x5vm6tk78ewmya5zr'],
  ['as web3.js formats it', 'solana', seed, 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z'],
  ['with its public key', 'solana', seed + ed25519PublicKey, 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z'],
];

it.each(known)('an address, %s (%s)', (_reason, kind, key, address) => {
  expect(hotAddressOf(kind, bytes(key))).toBe(address);
});

const refused: [string, Kind, string, RegExp][] = [
  ['one byte is missing', 'solana', seed.slice(2), /32 raw bytes, or 64.*holds 31/],
  ['another public key', 'solana', seed + seed, /not the public key of the first 32/],
  ['too many bytes', 'thorchain', seed + ed25519PublicKey, /32 raw bytes.*holds 64/],
  ['zero is not a valid key of the curve', 'thorchain', '00'.repeat(32), /not a secp256k1 private key/],
];

it.each(refused)('refuses a key: %s (%s)', (_reason, kind, key, message) => {
  expect(() => hotAddressOf(kind, bytes(key))).toThrow(message);
});
