import type { Pace } from '../work/pace.ts';

/** Shorter numbers are what a double holds. */
const leastLength = 16;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const inNumber = '0123456789+-.eE';
const charactersAtATime = 16 * 1024;

/** Which long numbers are to be texts. */
type IsText = (source: string) => boolean;

interface Quoting {
  text: string;
  isText: IsText;
  /** What has its quotes, up to `copied`. */
  parts: string[];
  copied: number;
}

const begin = (text: string, isText: IsText): Quoting => ({ text, isText, parts: [], copied: 0 });

/**
 * A JSON text with quotes around those long numbers that are to be texts. What is not JSON is not JSON afterwards either. A
 * reviver for JSON.parse would take a hundred times as long, and a body may have a million values.
 */
export function quoteNumbers(text: string, isText: IsText): string {
  const quoting = begin(text, isText);
  quoteUntil(quoting, 0, text.length);
  return quoted(quoting);
}

/** The same, with turns for others. */
export async function quoteNumbersInTurns(text: string, isText: IsText, pace: Pace): Promise<string> {
  const quoting = begin(text, isText);
  for (let at = 0; at < text.length; ) {
    const end = quoteUntil(quoting, at, at + charactersAtATime);
    await pace(end - at);
    at = end;
  }
  return quoted(quoting);
}

function quoted({ text, parts, copied }: Quoting): string {
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

/** Goes on from `start` to a place between tokens at or after `end`, or to the end of the text, and returns it. */
function quoteUntil(quoting: Quoting, start: number, end: number): number {
  const { text } = quoting;
  let at = start;
  for (; at < end && at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (isStart(code)) at = quoteNumber(quoting, at) - 1;
  }
  return at;
}

/** Quotes the number at `start`, if it is to be a text. Returns where it ends. */
function quoteNumber(quoting: Quoting, start: number): number {
  const { text, isText, parts, copied } = quoting;
  const end = endOfNumber(text, start);
  if (end - start < leastLength) return end;
  const source = text.slice(start, end);
  if (!number.test(source) || isKey(text, end) || !isText(source)) return end;
  parts.push(text.slice(copied, start), `"${source}"`);
  quoting.copied = end;
  return end;
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
