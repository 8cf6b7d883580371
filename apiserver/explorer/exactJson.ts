const longInteger = /\d{16}/;
const integer = /^-?\d+$/;

/** Parses JSON; integers that a double cannot hold, such as large amounts of Solana, become strings of their digits. */
export function parseExactly(text: string): unknown {
  if (!longInteger.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const { source = '' } = context ?? {};
    return integer.test(source) ? source : value;
  });
}
