import { AppError } from '../lib/errors.ts';
import { hintAboutHex, mayBeMnemonic } from './keys.ts';

/** The maximum size of a secret, in bytes. */
const maxSecretBytes = 65_536;

/** secp256k1 keys and Ed25519 seeds, and an Ed25519 seed with its public key, as Solana's tools store it. */
const keySizes = [32, 64];
/** The second one is that of the documents and the command line. */
const keyTypes = ['private-key', 'ethereum-private-key'];

/**
 * The raw bytes of a secret's `data`: canonical base64, 1 byte to 64 KiB. Throws BadRequest with the detail at `path`; never quotes
 * the data.
 */
export function decodeSecretData(data: string, path = 'data'): Buffer {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw refuse(path, 'is empty: send the base64 encoding of the raw secret bytes');
  if (bytes.toString('base64') !== data) {
    throw refuse(path, 'is not canonical base64 (standard alphabet, with padding, no white space)');
  }
  if (bytes.length > maxSecretBytes)
    throw refuse(path, `holds ${bytes.length} bytes; the maximum is ${maxSecretBytes}`);
  return bytes;
}

/** What networks and accounts would not accept of a secret that its `type` says is for them. Other types are the caller's own. */
export function warningAboutSecret(type: string, bytes: Buffer): string | undefined {
  const hint = hintAboutHex(bytes);
  if (keyTypes.includes(type) && (hint !== '' || !keySizes.includes(bytes.length)))
    return `nothing can use this as a private key of 32 bytes: it holds ${bytes.length}${hint}`;
  if (type === 'mnemonic' && !mayBeMnemonic(bytes))
    return 'nothing can use this as a mnemonic: it is not 12 to 24 English words of BIP-39';
  return undefined;
}

function refuse(path: string, message: string): AppError {
  return new AppError('BadRequest', `${path} ${message}`, { details: [{ path, message }] });
}
