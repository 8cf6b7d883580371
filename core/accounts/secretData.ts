import { AppError } from '../lib/errors.ts';
import { mayBeMnemonic } from './keys.ts';

/** The maximum size of a secret, in bytes. */
const maxSecretBytes = 65_536;

const hexText = /^(0x)?([0-9a-fA-F]{2}){16,}\s*$/;
/** secp256k1 keys and Ed25519 seeds, and an Ed25519 seed with its public key, as Solana's tools store it. */
const keySizes = [32, 64];
/** Keys of other systems come in this text form, which names what it holds. */
const pemText = /^\s*-----BEGIN [A-Z0-9 ]+-----/;

const howToEncode =
  'decode the hexadecimal text to bytes first, then encode those bytes as base64 ' +
  '(for example: printf %s KEY_HEX | xxd -r -p | base64 -w0)';

/**
 * The raw bytes of a secret's `data`: canonical base64, 1 byte to 64 KiB. When `type` hints at a private key, the data must be
 * one: text in hexadecimal, or data without the size of a key, is refused. A mnemonic is printable ASCII. Throws BadRequest
 * with the detail at `path`; never quotes the data.
 */
export function decodeSecretData(type: string, data: string, path = 'data'): Buffer {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw refuse(path, 'is empty: send the base64 encoding of the raw secret bytes');
  if (bytes.toString('base64') !== data) {
    throw refuse(path, 'is not canonical base64 (standard alphabet, with padding, no white space)');
  }
  if (bytes.length > maxSecretBytes)
    throw refuse(path, `holds ${bytes.length} bytes; the maximum is ${maxSecretBytes}`);
  const wrong = isKeyType(type) ? whyNoKey(data, bytes) : undefined;
  if (wrong !== undefined) throw refuse(path, wrong);
  if (/mnemonic/i.test(type) && !mayBeMnemonic(bytes)) {
    throw refuse(
      path,
      'is not a mnemonic, which type says it is: 12 to 24 English words of BIP-39, 512 bytes at most',
    );
  }
  return bytes;
}

function whyNoKey(data: string, bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  if (hexText.test(text)) return `is base64 of hexadecimal text: ${howToEncode}`;
  // The digits of hexadecimal text are valid base64 of other bytes.
  if (hexText.test(data)) return `is hexadecimal text, not base64: ${howToEncode}`;
  if (keySizes.includes(bytes.length) || pemText.test(text)) return undefined;
  return (
    `holds ${bytes.length} bytes, but type says that it is a private key: send the base64 of its 32 raw bytes ` +
    '(64 for an Ed25519 key with its public key), or name another type'
  );
}

function isKeyType(type: string): boolean {
  return /private[-_. ]?key/i.test(type);
}

function refuse(path: string, message: string): AppError {
  return new AppError('BadRequest', `${path} ${message}`, { details: [{ path, message }] });
}
