/** What fits into a model's context beside everything else. */
const maxLength = 24_000;
const maxTextLength = 4_000;

/** Members that no answer for an agent has, whatever it is about. */
const secretMembers: ReadonlySet<string> = new Set([
  'data',
  'privateKey',
  'secret',
  'token',
  'keySecret',
  'mnemonic',
]);

/** The JSON of an answer without keys, cut to what fits, and saying that it was cut. */
export function resultText(value: unknown): string {
  const text = JSON.stringify(shown(value), undefined, 1) ?? 'null';
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}\n… cut: ${text.length - maxLength} more characters. Ask for less, with a filter or a limit.`;
}

/** What is stored as a key or a token never leaves; long texts are cut one by one, so that the rest stays readable. */
function shown(value: unknown, name = ''): unknown {
  if (secretMembers.has(name) && typeof value === 'string' && !isCallData(value)) return undefined;
  if (typeof value === 'string')
    return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value;
  if (Array.isArray(value)) return value.map((one) => shown(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner, key)]));
}

/** `data` of logs and calls is hexadecimal; that of a secret is base64. 64 digits may be a key. */
const isCallData = (text: string) => /^0x[0-9a-f]*$/i.test(text) && text.length !== 66;

/** A URL of an endpoint without its access key: `/rpc/{network}/{key}/{service}`. */
export const withoutAccessKey = (url: string) => url.replace(/(\/rpc\/[^/]{1,64}\/)[^/]{1,128}/, '$1…');
