import { withoutEnding } from '../../core/lib/text/withoutEnding.ts';
import { fail } from '../lib/failure.ts';

export const encodings = ['raw', 'text', 'hex', 'base64'];

/** The bytes of what a user gave. `text` is raw without the line end that editors add. */
export function decoded(given: Buffer, encoding: string | undefined): Buffer {
  const text = given.toString('latin1').trim();
  if (encoding === 'hex') return fromHex(text);
  if (encoding === 'base64') return fromBase64(text);
  if (encoding === 'text') return Buffer.from(given.toString('utf8').replace(/\r?\n$/, ''));
  if (encoding === undefined && /^(0x)?[0-9a-fA-F]{64}$/.test(text)) {
    throw fail(
      'usage',
      'This is hexadecimal text, and would be stored as such.',
      'Add --encoding hex to store its bytes, or --encoding raw if you want the text.',
    );
  }
  return given;
}

function fromHex(text: string): Buffer {
  const digits = text.replace(/^0x/, '');
  if (digits.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(digits)) return Buffer.from(digits, 'hex');
  throw fail('usage', 'The data is not hexadecimal.', 'Give an even number of digits, with or without 0x.');
}

function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const isSame =
    withoutEnding(bytes.toString('base64'), '=') === withoutEnding(text.replaceAll(/\s/g, ''), '=');
  if (isSame && bytes.length > 0) return bytes;
  throw fail('usage', 'The data is not base64.', 'Give it as "base64 -w0" prints it.');
}
