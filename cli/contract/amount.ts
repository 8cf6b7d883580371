import { fail } from '../lib/failure.ts';

const decimals: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/** The wei of an amount such as `1000`, `2gwei` or `0.5ether`, exactly. */
export function weiOf(text: string, flag: string): string {
  const [, whole = '', fraction = '', unit = 'wei'] = /^(\d+)(?:\.(\d+))?(wei|gwei|ether)?$/.exec(text) ?? [];
  const places = decimals[unit] ?? 0;
  if (whole === '' || fraction.length > places) {
    throw fail('usage', `${flag} ${text} is not an amount.`, 'Write wei, or 2gwei, or 0.5ether.');
  }
  return BigInt(whole + fraction.padEnd(places, '0')).toString();
}
