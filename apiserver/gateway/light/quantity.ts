/**
 * A quantity of 64 bits as JSON-RPC writes it, which engines also take as a number; undefined for anything else. Beyond 2^53 it is the
 * nearest number, which is larger than that of any block.
 */
export function quantityOf(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value);
  if (!isText && !(typeof value === 'number' && Number.isSafeInteger(value))) return undefined;
  return Number(value);
}

/** What `quantityOf` reads, exactly and in decimal; another value as it is. */
export const decimalOf = (value: unknown): string =>
  String(quantityOf(value) === undefined ? value : BigInt(String(value)));

/** A quantity of 256 bits as JSON-RPC writes it; 0 for anything else. */
export const amountOf = (value: unknown): bigint =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : 0n;
