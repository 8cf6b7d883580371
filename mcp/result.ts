/** What fits into a model's context beside everything else. */
const maxLength = 24_000;
const maxTextLength = 4_000;

const hidden = '(hidden)';
/** Members that hold keys wherever they are. */
const keyMembers: ReadonlySet<string> = new Set(['privateKey', 'keySecret', 'mnemonic']);
/** Members that hold secrets in some answers, and names, addresses or call data in others. */
const secretTexts: Readonly<Record<string, RegExp>> = {
  // Of a secret: base64. Call data and logs are hexadecimal.
  data: /^(?!0x[0-9a-f]*$)/i,
  secret: /^whsec_/,
  token: /^[\w-]{8,64}\.[\w-]{20,}$/,
};

/** The JSON of an answer without keys, cut to what fits, and saying that it was cut. */
export function resultText(value: unknown): string {
  return cut(JSON.stringify(shown(value), undefined, 1) ?? 'null');
}

/** A text for a model, cut in the same way. */
export function cut(text: string): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}\n… cut: ${text.length - maxLength} more characters. Ask for less, with a filter or a limit.`;
}

/** What is a key or a token is hidden; long texts are cut one by one, so that the rest stays readable. */
function shown(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && (keyMembers.has(name) || secretTexts[name]?.test(value))) return hidden;
  if (typeof value === 'string')
    return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value;
  if (Array.isArray(value)) return value.map((one) => shown(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner, key)]));
}
