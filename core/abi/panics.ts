/** Solidity's documentation, "Panic via assert and Error via require". */
const panics: Readonly<Record<string, string>> = {
  '1': 'assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division by zero',
  '33': 'conversion to an invalid enum value',
  '34': 'incorrectly encoded storage byte array',
  '49': 'pop on an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory allocated',
  '81': 'call of an uninitialized function',
};

/** What the code of a `Panic(uint256)` means: `division by zero (0x12)`. */
export function panicText(code: bigint): string {
  return `${panics[String(code)] ?? 'unknown'} (0x${code.toString(16)})`;
}
