import { hasValidChecksum } from '../../core/lib/text/eip55.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';

interface Place {
  /** The flag; the argument when absent. */
  what?: string;
  /** What else may be written, after the remedy. */
  hint?: string;
}

/**
 * The address that a user means: written out, or by its name in the address book. What a name stands for is said before anything is
 * done with it. Throws a failure for any other text.
 */
export async function addressOf(context: Context, text: string, place: Place = {}): Promise<string> {
  return (await namedAddress(context, text, place)) ?? checked(text, place);
}

/** The address that has a name in the address book, which is said; undefined for any other text. */
export async function namedAddress(
  context: Context,
  text: string,
  place: Place = {},
): Promise<string | undefined> {
  // No name begins like an address: such a text is one that was mistyped.
  if (text === '' || /^0x/i.test(text)) return undefined;
  const named = await context.addressNamed(text);
  if (named !== undefined) context.ui.note(`${placeText(place)}"${text}" is ${named}.`);
  return named;
}

function checked(text: string, { hint = '', ...place }: Place): string {
  const where = placeText(place);
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw fail(
      'usage',
      text === ''
        ? 'The address is missing.'
        : `${where}"${text}" is not an address, nor a name in the address book.`,
      `Write 0x and 40 hexadecimal digits${hint}.`,
    );
  }
  if (hasValidChecksum(text)) return text;
  throw fail(
    'usage',
    `${where}${text} has a wrong checksum.`,
    'A character is mistyped, or the case of a letter: check it, or write it in small letters.',
  );
}

const placeText = ({ what }: Place) => (what === undefined ? '' : `${what} `);
