import { AppError } from '../../../core/lib/errors.ts';

const [plus, percent, space] = [0x2b, 0x25, 0x20];

/**
 * The fields of a form (application/x-www-form-urlencoded). Each byte is looked at once: `URLSearchParams` puts a text together
 * character by character, which takes seconds for one of some megabytes. Throws BadRequest if there are more fields than that: the
 * fields of a form of millions would occupy many times its size.
 */
export function parseForm(form: Buffer, maxFields: number): [name: string, value: string][] {
  const fields: [string, string][] = [];
  for (let at = 0; at <= form.length; ) {
    const end = endOf(form, '&', at);
    if (end > at) fields.push(fieldOf(form.subarray(at, end)));
    if (fields.length > maxFields) {
      throw new AppError('BadRequest', `the form has more than ${maxFields} fields`);
    }
    at = end + 1;
  }
  return fields;
}

function fieldOf(field: Buffer): [name: string, value: string] {
  const sign = endOf(field, '=', 0);
  return [decode(field.subarray(0, sign)), decode(field.subarray(sign + 1))];
}

/** Where a character is, or the text ends. */
function endOf(text: Buffer, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? text.length : at;
}

/** What is not an escape stays as it is (https://url.spec.whatwg.org/#urlencoded-parsing). */
function decode(text: Buffer): string {
  if (!text.includes('%') && !text.includes('+')) return text.toString('utf8');
  const decoded = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    const escaped = byte === percent ? byteOf(text, at) : undefined;
    decoded[length] = escaped ?? (byte === plus ? space : byte);
    length += 1;
    if (escaped !== undefined) at += 2;
  }
  return decoded.toString('utf8', 0, length);
}

/** The byte that an escape stands for. */
function byteOf(text: Buffer, at: number): number | undefined {
  const [high, low] = [digitOf(text[at + 1]), digitOf(text[at + 2])];
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

function digitOf(byte = 0): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  // In lower case.
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}
