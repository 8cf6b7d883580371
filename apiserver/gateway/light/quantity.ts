/** A quantity as JSON-RPC writes it, which engines also take as a number; undefined for anything else. */
export function quantityOf(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value);
  if (!isText && !(typeof value === 'number' && Number.isSafeInteger(value))) return undefined;
  return Number(value);
}
