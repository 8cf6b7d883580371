/** Whole smallest units of a decimal amount: `1.5` with 18 decimals. Undefined for what is no such amount. */
export function toSmallestUnits(amount: string, decimals: number): string | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount.trim()) ?? [];
  if (whole === '' || fraction.length > decimals) return undefined;
  return (whole + fraction.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '');
}
