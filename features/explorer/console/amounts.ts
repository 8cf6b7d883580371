import { withoutEnding } from '../../../sdk/src/withoutEnding.ts';

const grouping = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** A whole number with its digits in groups of three. */
export function whole(value: bigint | number): string {
  return grouping.format(value);
}

/** An amount in its large unit, with all its digits: 1500000000000000000 with 18 decimals is "1.5". */
export function inUnits(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const fraction = withoutEnding(digits.slice(cut), '0');
  const sign = value < 0n ? '-' : '';
  return `${sign}${whole(BigInt(digits.slice(0, cut)))}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The same for a list: six decimals at most, and whether that is less than all of them. */
function inFewDigits(value: bigint, decimals: number): string {
  const least = decimals > 6 ? 10n ** BigInt(decimals - 6) : 1n;
  if (value > 0n && value < least) return `<${inUnits(least, decimals)}`;
  return inUnits(value - (value % least), decimals);
}

/** An amount of ether in a list. */
export const inFewEther = (value: bigint): string => inFewDigits(value, 18);
export const inEther = (value: bigint): string => inUnits(value, 18);
export const inGwei = (value: bigint): string => inUnits(value, 9);

/** The percentage of a part, to a tenth. */
export function percentOf(part: bigint, all: bigint): string {
  if (all === 0n) return '0%';
  return `${inUnits((part * 1000n) / all, 1)}%`;
}

/** The begin and the end of a hash or an address. */
export function short(text: string, side = 6): string {
  return text.length <= 2 * side + 3 ? text : `${text.slice(0, side + 2)}…${text.slice(-side)}`;
}
