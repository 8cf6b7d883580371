/** Reads what nodes answer, of which nothing is certain. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is at a path of nested objects. */
export function at(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
}

export function textAt(value: unknown, ...names: string[]): string | undefined {
  const found = at(value, ...names);
  return typeof found === 'string' ? found : undefined;
}

export function listAt(value: unknown, ...names: string[]): unknown[] {
  const found = at(value, ...names);
  return Array.isArray(found) ? found : [];
}

/** A quantity in hexadecimal, in digits, or as a number. */
export function quantityAt(value: unknown, ...names: string[]): bigint | undefined {
  const found = at(value, ...names);
  if (typeof found === 'number' && Number.isSafeInteger(found)) return BigInt(found);
  return typeof found === 'string' && /^(0x[0-9a-f]+|-?\d+)$/i.test(found) ? BigInt(found) : undefined;
}
