/**
 * The whole number that a JSON number stands for, by its shortest decimal text: 1e23 is 10^23, although the double
 * nearest to it is 8,388,608 less. Throws RangeError for a number with a fraction.
 */
export function wholeNumber(value: number): bigint {
  if (!Number.isInteger(value)) throw new RangeError(`${value} is not a whole number`);
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}
