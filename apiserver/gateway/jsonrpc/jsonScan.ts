import { AppError } from '../../../core/lib/errors.ts';

/**
 * Finds where the parts of a JSON text begin and end, so that they can be forwarded as they were sent. It does not
 * validate the text: `JSON.parse` does that. On valid JSON the two agree; on any other text this scan still terminates.
 */
export interface Scan {
  text: string;
  /** How many more values are allowed. */
  valuesLeft: number;
  maxDepth: number;
}

export interface Member {
  /** The name as written, with its quotes. */
  name: string;
  value: string;
}

const maxDepth = 32;
const maxValues = 100_000;

export function createScan(text: string): Scan {
  return { text, valuesLeft: maxValues, maxDepth };
}

/** For a text whose size is bounded already, and that `JSON.parse` has accepted. */
export function createUnlimitedScan(text: string): Scan {
  return { text, valuesLeft: Number.POSITIVE_INFINITY, maxDepth: Number.POSITIVE_INFINITY };
}

/** The index of the first character at or after `index` that is not whitespace. */
export function skipSpace(text: string, index: number): number {
  let at = index;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** The members of the object that begins at `start`, in order, and the index after its closing brace. */
export function readMembers(scan: Scan, start: number): { members: Member[]; end: number } {
  const { text } = scan;
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  if (text[at] === '}') return { members, end: at + 1 };
  for (;;) {
    const nameEnd = endOfString(text, at);
    const colon = skipSpace(text, nameEnd);
    if (text[at] !== '"' || text[colon] !== ':') throw malformed();
    const valueStart = skipSpace(text, colon + 1);
    const valueEnd = endOfValue(scan, valueStart);
    members.push({ name: text.slice(at, nameEnd), value: text.slice(valueStart, valueEnd) });
    const next = skipSpace(text, valueEnd);
    if (text[next] === '}') return { members, end: next + 1 };
    if (text[next] !== ',') throw malformed();
    at = skipSpace(text, next + 1);
  }
}

/** The index after the value that begins at `start`. BadRequest if it is nested too deeply or has too many values. */
export function endOfValue(scan: Scan, start: number): number {
  const { text } = scan;
  spend(scan);
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === '{' || first === '[') return endOfNested(scan, start);
  let at = start;
  while (at < text.length && !',]} \n\r\t'.includes(text.charAt(at))) at++;
  if (at === start) throw malformed();
  return at;
}

function endOfNested(scan: Scan, start: number): number {
  const { text } = scan;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at) - 1;
    if (code === 0x2c) spend(scan);
    if (code === 0x7b || code === 0x5b) {
      spend(scan);
      if (++depth > scan.maxDepth)
        throw new AppError(
          'BadRequest',
          `the JSON is nested too deeply: at most ${scan.maxDepth} levels are allowed`,
        );
    }
    if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1;
  }
  throw malformed();
}

/** The index after the closing quote of the string whose opening quote is at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (before > start && text.charCodeAt(before) === 0x5c) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  throw malformed();
}

function spend(scan: Scan): void {
  if (--scan.valuesLeft < 0)
    throw new AppError('BadRequest', `the JSON has too many values: at most ${maxValues} are allowed`);
}

export function malformed(): AppError {
  return new AppError('BadRequest', 'the body is not valid JSON');
}
