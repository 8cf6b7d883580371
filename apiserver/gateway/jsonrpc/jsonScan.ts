import { AppError } from '../../../core/lib/errors.ts';
import { codes } from '../../../core/lib/json/codes.ts';

/**
 * Finds where the parts of a JSON text begin and end, so that they can be forwarded as they were sent. It does not
 * validate the text: `JSON.parse` does that. On valid JSON the two agree; on any other text this scan still terminates.
 */
export interface Scan {
  text: string;
  /** How many more values are allowed. */
  valuesLeft: number;
  maxDepth: number;
  /** How many members an object may have. */
  maxMembers: number;
}

export interface Member {
  /** The name as written, with its quotes. */
  name: string;
  value: string;
}

const maxDepth = 32;
const maxValues = 100_000;
/** More than in any call but one that is made to be slow: what copies or compares an object looks at all of its members. */
const maxMembers = 1_024;

export function createScan(text: string): Scan {
  return { text, valuesLeft: maxValues, maxDepth, maxMembers };
}

/** For a text whose size is bounded already, and that `JSON.parse` has accepted. */
export function createUnlimitedScan(text: string): Scan {
  const unlimited = Number.POSITIVE_INFINITY;
  return { text, valuesLeft: unlimited, maxDepth: unlimited, maxMembers: unlimited };
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
    if (members.length === scan.maxMembers) throw tooManyMembers(scan);
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
  /** Of each object or list that is open, how many members it may still have. */
  const open: number[] = [];
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = endOfString(text, at) - 1;
    else if (code === codes.comma) passComma(scan, open);
    else if (code === codes.brace) enter(scan, open, scan.maxMembers - 1);
    else if (code === codes.bracket) enter(scan, open, Number.POSITIVE_INFINITY);
    else if (code === codes.endBrace || code === codes.endBracket) {
      open.pop();
      if (open.length === 0) return at + 1;
    }
  }
  throw malformed();
}

function enter(scan: Scan, open: number[], membersLeft: number): void {
  spend(scan);
  open.push(membersLeft);
  if (open.length <= scan.maxDepth) return;
  const message = `the JSON is nested too deeply: at most ${scan.maxDepth} levels are allowed`;
  throw new AppError('BadRequest', message);
}

function passComma(scan: Scan, open: number[]): void {
  spend(scan);
  const left = open.pop() ?? 0;
  if (left === 0) throw tooManyMembers(scan);
  open.push(left - 1);
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

function tooManyMembers(scan: Scan): AppError {
  const message = `the JSON has an object with too many members: at most ${scan.maxMembers} are allowed`;
  return new AppError('BadRequest', message);
}

export function malformed(): AppError {
  return new AppError('BadRequest', 'the body is not valid JSON');
}
