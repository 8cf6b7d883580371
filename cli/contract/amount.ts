import { weiIn } from '../../core/abi/amount.ts';
import { fail } from '../lib/failure.ts';

/** What an option for an amount says of its value. */
export const amountForm = 'wei, or such as 2gwei or 0.5ether';

/** The wei of an amount such as `1000`, `2gwei`, `0.5ether` or `0xff`, exactly. */
export function weiOf(text: string, flag: string): string {
  const wei = weiIn(text);
  if (wei !== undefined) return wei;
  throw fail('usage', `${flag} ${text} is not an amount.`, 'Write wei, or 2gwei, or 0.5ether.');
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
