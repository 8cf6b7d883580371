import { AppError } from '../lib/errors.ts';

/** The maximum size of a secret, in bytes. */
const maxSecretBytes = 65_536;

const hexText = /^(0x)?([0-9a-fA-F]{2}){16,}\s*$/;

/**
 * The raw bytes of a secret's `data`: canonical base64, 1 byte to 64 KiB. When `type` hints at a private key,
 * bytes that spell hexadecimal text are refused. Throws BadRequest with the detail at `path`; never quotes the data.
 */
export function decodeSecretData(type: string, data: string, path = 'data'): Buffer {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw refuse(path, 'is empty: send the base64 encoding of the raw secret bytes');
  if (bytes.toString('base64') !== data) {
    throw refuse(path, 'is not canonical base64 (standard alphabet, with padding, no white space)');
  }
  if (bytes.length > maxSecretBytes)
    throw refuse(path, `holds ${bytes.length} bytes; the maximum is ${maxSecretBytes}`);
  if (isKeyType(type) && hexText.test(bytes.toString('latin1'))) {
    throw refuse(
      path,
      'is base64 of hexadecimal text: decode the hexadecimal text to bytes first, then encode those bytes as base64 ' +
        '(for example: printf %s KEY_HEX | xxd -r -p | base64 -w0)',
    );
  }
  return bytes;
}

function isKeyType(type: string): boolean {
  return /private[-_. ]?key/i.test(type);
}

function refuse(path: string, message: string): AppError {
  return new AppError('BadRequest', `${path} ${message}`, { details: [{ path, message }] });
}
