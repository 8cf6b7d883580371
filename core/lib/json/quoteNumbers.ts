/** Shorter numbers are what a double holds. */
const leastLength = 16;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const inNumber = '0123456789+-.eE';

/**
 * A JSON text with quotes around those long numbers that are to be texts. What is not JSON is not JSON afterwards either. A
 * reviver for JSON.parse would take a hundred times as long, and a body may have a million values.
 */
export function quoteNumbers(text: string, isText: (source: string) => boolean): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    if (!isStart(code)) continue;
    const end = endOfNumber(text, at);
    const source = text.slice(at, end);
    if (end - at >= leastLength && number.test(source) && !isKey(text, end) && isText(source)) {
      parts.push(text.slice(copied, at), `"${source}"`);
      copied = end;
    }
    at = end - 1;
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

/** A digit or a minus. */
const isStart = (code: number): boolean => (code >= 0x30 && code <= 0x39) || code === 0x2d;

function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && inNumber.includes(text.charAt(at))) at++;
  return at;
}

/** The index of the quote that ends the string at `start`; the length of a text without one. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}

/** A text can be a key, a number cannot. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at++;
  return text.charAt(at) === ':';
}
