const decimals: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/** The wei of an amount such as `1000`, `2gwei`, `0.5ether` or `0xff`, exactly; undefined for any other text. */
export function weiIn(text: string): string | undefined {
  if (/^0x[0-9a-f]+$/i.test(text)) return BigInt(text).toString();
  const [, whole = '', fraction = '', unit = 'wei'] = /^(\d+)(?:\.(\d+))?(wei|gwei|ether)?$/.exec(text) ?? [];
  const places = decimals[unit] ?? 0;
  if (whole === '' || fraction.length > places) return undefined;
  return BigInt(whole + fraction.padEnd(places, '0')).toString();
}
