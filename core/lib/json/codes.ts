/** The characters that give JSON its structure, as `charCodeAt` tells them. */
export const codes = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  brace: 0x7b,
  endBrace: 0x7d,
  bracket: 0x5b,
  endBracket: 0x5d,
} as const;
