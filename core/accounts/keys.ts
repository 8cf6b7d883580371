import { computeAddress, HDNodeWallet, Mnemonic } from 'ethers';
import { AppError } from '../lib/errors.ts';

/** The EVM address (EIP-55) of a secp256k1 private key of 32 raw bytes. Throws BadRequest when it is not one. */
export function addressOfPrivateKey(key: Uint8Array): string {
  if (key.length !== 32) {
    const held = `this secret holds ${key.length} bytes${hintAboutHex(key)}`;
    throw new AppError('BadRequest', `a private key is 32 raw bytes; ${held}`);
  }
  try {
    return computeAddress(`0x${Buffer.from(key).toString('hex')}`);
  } catch {
    throw new AppError(
      'BadRequest',
      'these 32 bytes are not a secp256k1 private key (zero, or above the curve order)',
    );
  }
}

/** How to store a key that was given as hexadecimal text, or as that text taken for base64; empty for all other bytes. */
export function hintAboutHex(bytes: Uint8Array): string {
  const given = Buffer.from(bytes);
  const isText = hexText.test(given.toString('latin1')) || hexText.test(given.toString('base64'));
  return isText
    ? ', which are hexadecimal text: decode it to bytes first, then encode those as base64 (printf %s KEY_HEX | xxd -r -p | base64 -w0)'
    : '';
}

const hexText = /^(0x)?([0-9a-fA-F]{2}){16,}\s*$/;

/**
 * The first `count` EVM addresses of a BIP-39 mnemonic given as UTF-8 text, at m/44'/60'/0'/0/i (BIP-44).
 * Throws BadRequest when a word or the checksum is invalid.
 */
export function addressesOfMnemonic(text: Uint8Array, count: number): string[] {
  return keysOfMnemonic(text, count).map(({ address }) => address);
}

/** The same accounts with their private keys, as `0x` and 64 hexadecimal digits. */
export function keysOfMnemonic(text: Uint8Array, count: number): { address: string; privateKey: string }[] {
  const parent = HDNodeWallet.fromPhrase(checkedPhrase(text), '', "m/44'/60'/0'/0");
  return Array.from({ length: count }, (_, index) => {
    const { address, privateKey } = parent.deriveChild(index);
    return { address, privateKey };
  });
}

/** The words of a BIP-39 mnemonic given as UTF-8 text. Throws BadRequest when a word or the checksum is invalid. */
export function checkedPhrase(text: Uint8Array): string {
  const phrase = mayBeMnemonic(text) ? Buffer.from(text).toString('latin1').trim().replace(/\s+/g, ' ') : '';
  if (!Mnemonic.isValidMnemonic(phrase)) {
    throw new AppError(
      'BadRequest',
      'this secret does not hold a BIP-39 mnemonic (12 to 24 English words with a valid checksum)',
    );
  }
  return phrase;
}

/** The longest mnemonic: 24 words of eight letters, and 23 blanks. */
const maxMnemonicBytes = 512;

/**
 * Whether bytes may be English words: few, printable ASCII and blanks. Nothing else is given to `Mnemonic`, which normalizes the
 * text first: that takes seconds for one with many combining marks.
 */
export function mayBeMnemonic(text: Uint8Array): boolean {
  const isPlain = (byte: number) => (byte >= 0x20 && byte <= 0x7e) || (byte >= 0x09 && byte <= 0x0d);
  return text.length <= maxMnemonicBytes && text.every(isPlain);
}
