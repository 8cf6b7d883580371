import { withoutEnding } from '../../../sdk/src/withoutEnding.ts';

/** Whole smallest units of a decimal amount: `1.5` with 18 decimals. Undefined for anything else. */
export function toSmallestUnits(amount: string, decimals: number): string | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount.trim()) ?? [];
  if (whole === '' || fraction.length > decimals) return undefined;
  return (whole + fraction.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '');
}

/** The decimal amount of whole smallest units, exactly. Anything but a whole number stays as it is. */
export function fromSmallestUnits(units: string, decimals: number): string {
  if (!/^\d+$/.test(units)) return units;
  const digits = units.padStart(decimals + 1, '0');
  const fraction = withoutEnding(digits.slice(digits.length - decimals), '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '');
  return decimals > 0 && fraction !== '' ? `${whole}.${fraction}` : whole;
}

/** The digits of a whole number, also of one that is written with an exponent. As in JSON, it is the number that its text says. */
export function digitsOf(value: number): string {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return whole + fraction.padEnd(Number(exponent), '0');
}
