import { AppError } from '../../../core/lib/errors.ts';

/** The deepest nesting of objects and arrays that a body may have. */
export const maxJsonDepth = 32;

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

/**
 * One pass over the brackets, strings and commas before the text is parsed. It need not detect malformed JSON:
 * JSON.parse does.
 */
function checkStructure(text: string): void {
  const stack: Frame[] = [];
  let mayBeKey = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    const top = stack.at(-1);
    if (char === '"') {
      const end = endOfString(text, at);
      if (mayBeKey && top && !top.isArray) enterKey(stack, top, text.slice(at, end + 1));
      mayBeKey = false;
      at = end;
    } else if (char === '{' || char === '[') {
      if (stack.length === maxJsonDepth)
        throw refuse(stack, `is nested deeper than ${maxJsonDepth} levels: flatten it`);
      stack.push({ isArray: char === '[', index: 0, key: '', keys: new Set() });
      mayBeKey = char === '{';
    } else if (char === '}' || char === ']') {
      stack.pop();
      mayBeKey = false;
    } else if (char === ',' && top) {
      top.index++;
      mayBeKey = !top.isArray;
    }
  }
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
