import { fail } from '../lib/failure.ts';

const decimals: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/** What an option for an amount says of its value. */
export const amountForm = 'wei, or such as 2gwei or 0.5ether';

/** The wei of an amount such as `1000`, `2gwei`, `0.5ether` or `0xff`, exactly. */
export function weiOf(text: string, flag: string): string {
  if (/^0x[0-9a-f]+$/i.test(text)) return BigInt(text).toString();
  const [, whole = '', fraction = '', unit = 'wei'] = /^(\d+)(?:\.(\d+))?(wei|gwei|ether)?$/.exec(text) ?? [];
  const places = decimals[unit] ?? 0;
  if (whole === '' || fraction.length > places) {
    throw fail('usage', `${flag} ${text} is not an amount.`, 'Write wei, or 2gwei, or 0.5ether.');
  }
  return BigInt(whole + fraction.padEnd(places, '0')).toString();
}

/** An amount of a token in its smallest units: whether an ether of it would be a whole one, only its decimals say. */
export function unitsOf(text: string, flag: string): string {
  if (/^(\d+|0x[0-9a-f]+)$/i.test(text)) return BigInt(text).toString();
  throw fail(
    'usage',
    `${flag} ${text} is not an amount of a token.`,
    'Write it in the smallest units of the token, in digits.',
  );
}
