import { AppError } from '../../../core/lib/errors.ts';
import { codes } from '../../../core/lib/json/codes.ts';
import { parseExactly, parseExactlyInTurns } from '../../../core/lib/json/exactNumber.ts';
import { createPace, type Pace } from '../../../core/lib/work/pace.ts';

/** The deepest nesting of objects and arrays that a body may have. */
const maxJsonDepth = 32;
/**
 * The most members of one object. A schema looks at all members of a record whose keys the client chooses, also after the first
 * one that is wrong, and reports each.
 */
const usualMaxMembers = 1_000;

/** Keys that can modify an object's prototype if code copies them carelessly. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);
const maxPathLength = 200;

/**
 * Heap bytes of what JSON.parse makes, measured with Node 24 and rounded up: 64 for `{}`, 40 for `[]`, 8 for a small
 * number and 32 for a short string in a list, 74 to 120 more for a key that occurs once, next to nothing for one that
 * other objects have as well. A schema that accepts the value copies its objects.
 */
const heapBytes = { container: 88, value: 16, string: 16, knownKey: 8, newKey: 128 } as const;
/** Beyond this many different keys, every key counts as new. */
const maxKnownKeys = 10_000;

interface Frame {
  isArray: boolean;
  index: number;
  key: string;
  /** Created with the first key. */
  keys: Set<string> | undefined;
}

export interface ParseOptions {
  /** The most heap bytes that the value may occupy, by the estimate above. */
  maxHeapBytes: number;
  /** The most members that an object may have; `usualMaxMembers` if absent. */
  maxMembers?: number;
  /** Called with the bytes that the value will occupy, before it is parsed, in steps. May throw. */
  take(bytes: number): void;
}

/** For texts whose size bounds their values. */
const unbounded: ParseOptions = { maxHeapBytes: Number.POSITIVE_INFINITY, take: () => undefined };

export interface ParsedJson {
  value: unknown;
  /** How many values it consists of. */
  count: number;
}

/**
 * The value of a JSON text in UTF-8. Throws BadRequest if it is not JSON, is nested deeper than `maxJsonDepth`, repeats
 * a key, has a refused key, or an object with too many members. The detail names the place. Throws TooLarge if it has too many values.
 */
export function parseJson(bytes: Uint8Array, options: ParseOptions = unbounded): ParsedJson {
  const text = decodeUtf8(bytes);
  options.take(text.length);
  const count = checkJson(text, options);
  try {
    return { value: parseExactly(text), count };
  } catch {
    throw invalid();
  }
}

/** Characters of a body that are read before others have a turn: within a few milliseconds. */
const charactersPerTurn = 256 * 1024;

/**
 * The same for bodies of any size, with turns for others. `onCounted` is called with the number of values before the text is
 * parsed; with none if it is refused before that, because no schema looks at them.
 */
export async function parseJsonInTurns(
  bytes: Uint8Array,
  { onCounted, ...options }: ParseOptions & { onCounted(count: number): void },
): Promise<ParsedJson> {
  const pace = createPace(charactersPerTurn);
  const text = decodeUtf8(bytes);
  options.take(text.length);
  const scan = beginScan(text, options);
  await scanInTurns(scan, pace).catch((error: unknown) => {
    onCounted(0);
    throw error;
  });
  onCounted(scan.values);
  const count = endScan(scan);
  try {
    return { value: await parseExactlyInTurns(text, pace), count };
  } catch {
    throw invalid();
  }
}

async function scanInTurns(scan: Scan, pace: Pace): Promise<void> {
  for (let at = 0; at < scan.text.length; ) {
    const end = scanUntil(scan, at, at + charactersPerTurn);
    await pace(end - at);
    at = end;
  }
}

const invalid = () => new AppError('BadRequest', 'the body is not valid JSON');

const byteOrderMark = '\ufeff';

function decodeUtf8(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.startsWith(byteOrderMark)) return text;
  } catch {
    throw new AppError('BadRequest', 'the body is not valid UTF-8');
  }
  throw new AppError(
    'BadRequest',
    'the body begins with a byte order mark: send JSON without one (RFC 8259)',
  );
}

interface Scan {
  text: string;
  hasEscapes: boolean;
  /** The objects and arrays that are open. */
  stack: Frame[];
  mayBeKey: boolean;
  options: ParseOptions;
  values: number;
  /** Heap bytes that were found and not taken yet. */
  untaken: number;
  taken: number;
  knownKeys: Set<string>;
}

const takenStep = 256 * 1024;

/**
 * One pass over the brackets, strings and commas before the text is parsed; the number of its values. It need not detect
 * malformed JSON: JSON.parse does.
 */
export function checkJson(text: string, options: ParseOptions): number {
  const scan = beginScan(text, options);
  scanUntil(scan, 0, text.length);
  return endScan(scan);
}

function beginScan(text: string, options: ParseOptions): Scan {
  return {
    stack: [],
    mayBeKey: false,
    values: 0,
    untaken: 0,
    taken: 0,
    knownKeys: new Set<string>(),
    text,
    hasEscapes: text.includes('\\u'),
    options,
  };
}

/** Goes on from `start` to a place between tokens at or after `end`, or to the end of the text, and returns it. */
function scanUntil(scan: Scan, start: number, end: number): number {
  let at = start;
  for (; at < end && at < scan.text.length; at++) at = passToken(scan, at);
  return at;
}

/** The number of values. */
function endScan({ options, untaken, values }: Scan): number {
  options.take(untaken);
  return values;
}

function charge(scan: Scan, bytes: number): void {
  scan.untaken += bytes;
  if (scan.untaken < takenStep) return;
  const { maxHeapBytes, take } = scan.options;
  scan.taken += scan.untaken;
  if (scan.taken > maxHeapBytes) {
    throw new AppError(
      'TooLarge',
      `the body has too many JSON values: parsed, this request may occupy at most ${maxHeapBytes} bytes of memory (about ${heapBytes.container + heapBytes.value} for each object)`,
    );
  }
  take(scan.untaken);
  scan.untaken = 0;
}

function countValue(scan: Scan, bytes: number): void {
  charge(scan, bytes);
  scan.values += 1;
}

/** Reads what is at `at`; returns the index of its last character. */
function passToken(scan: Scan, at: number): number {
  const code = scan.text.charCodeAt(at);
  if (code === codes.quote) return passString(scan, at);
  if (code === codes.brace || code === codes.bracket) open(scan, code === codes.bracket);
  if (code === codes.endBrace || code === codes.endBracket) {
    scan.stack.pop();
    scan.mayBeKey = false;
  }
  if (code === codes.comma) passComma(scan);
  return at;
}

function passString(scan: Scan, start: number): number {
  const end = endOfString(scan.text, start);
  const top = scan.stack.at(-1);
  if (scan.mayBeKey && top && !top.isArray) enterKey(scan, top, scan.text.slice(start, end + 1));
  else charge(scan, heapBytes.string);
  // UTF-8 has no halves of surrogate pairs, but escapes may spell one, which nothing can store.
  if (scan.hasEscapes && !unquote(scan.text.slice(start, end + 1)).isWellFormed())
    throw refuse(scan.stack, 'has half of a surrogate pair: send whole characters');
  scan.mayBeKey = false;
  return end;
}

function open(scan: Scan, isArray: boolean): void {
  if (scan.stack.length === maxJsonDepth) {
    throw refuse(scan.stack, `nests deeper than ${maxJsonDepth} levels`);
  }
  countValue(scan, heapBytes.container);
  scan.stack.push({ isArray, index: 0, key: '', keys: undefined });
  scan.mayBeKey = !isArray;
}

function passComma(scan: Scan): void {
  const top = scan.stack.at(-1);
  if (!top) return;
  countValue(scan, heapBytes.value);
  top.index++;
  scan.mayBeKey = !top.isArray;
}

/** Index of the quote that closes the string starting at `start`; the last index of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (before > start && text.charCodeAt(before) === codes.backslash) before -= 1;
    // It is escaped by an odd number of them.
    if ((at - before) % 2 === 1) return at;
  }
  return text.length - 1;
}

function enterKey(scan: Scan, top: Frame, quoted: string): void {
  const { stack, knownKeys } = scan;
  top.key = unquote(quoted);
  charge(scan, knownKeys.has(top.key) ? heapBytes.knownKey : heapBytes.newKey);
  if (knownKeys.size < maxKnownKeys) knownKeys.add(top.key);
  if (refusedKeys.has(top.key)) throw refuse(stack, 'is not an allowed key: remove it');
  top.keys ??= new Set();
  if (top.keys.has(top.key)) throw refuse(stack, 'occurs more than once: send each key once');
  top.keys.add(top.key);
  const { maxMembers = usualMaxMembers } = scan.options;
  if (top.keys.size > maxMembers) throw refuse(stack.slice(0, -1), `has more than ${maxMembers} members`);
}

/** Resolves escapes, so that `"__proto\u005f_"` is recognized. */
function unquote(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
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
  return new AppError('BadRequest', `the body is invalid: ${path || 'it'} ${message}`, {
    details: [{ path, message }],
  });
}
