import { quoteNumbers } from '../../../core/lib/json/quoteNumbers.ts';

const longInteger = /\d{16}/;
const integer = /^-?\d+$/;

/** Parses JSON; integers that a double cannot hold, such as large amounts of Solana, become strings of their digits. */
export function parseExactly(text: string): unknown {
  return JSON.parse(longInteger.test(text) ? quoteNumbers(text, isTooLarge) : text);
}

const isTooLarge = (source: string): boolean => integer.test(source) && !Number.isSafeInteger(Number(source));
