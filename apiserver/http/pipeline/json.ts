import { AppError } from '../../../core/lib/errors.ts';

/** The deepest nesting of objects and arrays that a body may have. */
const maxJsonDepth = 32;

/** Keys that can modify an object's prototype if code copies them carelessly. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);
const maxPathLength = 200;

interface Frame {
  isArray: boolean;
  index: number;
  key: string;
  keys: Set<string>;
}

/**
 * The value of a JSON text in UTF-8. Throws BadRequest if it is not JSON, is nested deeper than `maxJsonDepth`, repeats
 * a key, or has a refused key. The detail names the place.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  checkStructure(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('BadRequest', 'the body is not valid JSON');
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('BadRequest', 'the body is not valid UTF-8');
  }
}

interface Scan {
  text: string;
  /** The objects and arrays that are open. */
  stack: Frame[];
  mayBeKey: boolean;
}

/**
 * One pass over the brackets, strings and commas before the text is parsed. It need not detect malformed JSON:
 * JSON.parse does.
 */
function checkStructure(text: string): void {
  const scan: Scan = { text, stack: [], mayBeKey: false };
  for (let at = 0; at < text.length; at++) at = passToken(scan, at);
}

/** Takes in what stands at `at`; answers the index of its last character. */
function passToken(scan: Scan, at: number): number {
  const char = scan.text[at];
  if (char === '"') return passString(scan, at);
  if (char === '{' || char === '[') open(scan, char === '[');
  if (char === '}' || char === ']') {
    scan.stack.pop();
    scan.mayBeKey = false;
  }
  if (char === ',') passComma(scan);
  return at;
}

function passString(scan: Scan, start: number): number {
  const end = endOfString(scan.text, start);
  const top = scan.stack.at(-1);
  if (scan.mayBeKey && top && !top.isArray) enterKey(scan.stack, top, scan.text.slice(start, end + 1));
  scan.mayBeKey = false;
  return end;
}

function open(scan: Scan, isArray: boolean): void {
  if (scan.stack.length === maxJsonDepth) {
    throw refuse(scan.stack, `nests deeper than ${maxJsonDepth} levels`);
  }
  scan.stack.push({ isArray, index: 0, key: '', keys: new Set() });
  scan.mayBeKey = !isArray;
}

function passComma(scan: Scan): void {
  const top = scan.stack.at(-1);
  if (!top) return;
  top.index++;
  scan.mayBeKey = !top.isArray;
}

/** Index of the quote that closes the string starting at `start`; the last index of the text if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at, text.length - 1);
}

function enterKey(stack: Frame[], top: Frame, quoted: string): void {
  top.key = unquote(quoted);
  if (refusedKeys.has(top.key)) throw refuse(stack, 'is not an allowed key: remove it');
  if (top.keys.has(top.key)) throw refuse(stack, 'occurs more than once: send each key once');
  top.keys.add(top.key);
}

/** Resolves escapes, so that `"__proto\u005f_"` is recognized. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

function refuse(stack: readonly Frame[], message: string): AppError {
  const path = stack
    .map((frame) => (frame.isArray ? `[${frame.index}]` : `.${frame.key}`))
    .join('')
    .replace(/^\./, '')
    .slice(0, maxPathLength);
  return new AppError('BadRequest', `the body is invalid: ${path} ${message}`, {
    details: [{ path, message }],
  });
}
