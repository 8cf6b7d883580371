import { setImmediate as nextTurn } from 'node:timers/promises';
import { malformed } from '../apiserver/gateway/jsonrpc/jsonScan.ts';
import { codes } from '../core/lib/json/codes.ts';

interface Options {
  /** Names of members, as they are written, with their quotes. */
  names: readonly string[];
  /** Told of those in the outermost object, and of those in such a member of it, when their values have ended. */
  onMember(member: TextMember): void;
}

export interface TextMember {
  name: string;
  /** The name of the member of the outermost object that it is in. */
  within: string | undefined;
  /** Where the value begins, and the index after it. */
  start: number;
  end: number;
}

type Expected = 'value' | 'firstElement' | 'firstName' | 'name' | 'colon' | 'next' | 'end';

interface Walk extends Options {
  text: string;
  at: number;
  isInString: boolean;
  /** What comes next, or after the string. */
  expected: Expected;
  /** What closes each object and list that is open. */
  open: number[];
  /** By depth, the member that has begun last, if it has one of the names. */
  begun: ({ name: string; start: number } | undefined)[];
}

/** They take half a millisecond. */
export const charactersPerTurn = 16 * 1024;
/** A trace nests two levels for each of at most 1,024 calls. */
const maxDepth = 4_096;
/** The numbers of chains have at most 78 digits. */
const longestPrimitive = 1_024;
const primitive = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const hexDigits = /^[\da-fA-F]{4}$/;

/**
 * Tells whether a text is JSON, without building what is in it: a text of a megabyte may have half a million values and
 * names, each of which would take a hundred times as long as its characters. Others have their turns meanwhile.
 * Rejects with BadRequest if it is not.
 */
export async function walkJson(text: string, options: Options): Promise<void> {
  const walk: Walk = { ...options, text, at: 0, isInString: false, expected: 'value', open: [], begun: [] };
  while (!endsWithin(walk, walk.at + charactersPerTurn)) await nextTurn();
  if (walk.expected !== 'end') throw malformed();
}

/** Goes on to the end of the turn, or of the text. */
function endsWithin(walk: Walk, turnEnd: number): boolean {
  while (walk.at < turnEnd && walk.at < walk.text.length) {
    walk.expected = walk.isInString ? passString(walk, turnEnd) : passToken(walk);
  }
  return walk.at === walk.text.length;
}

/** Returns what is expected then, as the others do. */
function passToken(walk: Walk): Expected {
  const code = walk.text.charCodeAt(walk.at);
  const { expected } = walk;
  if (isSpace(code)) return pass(walk, expected);
  if (expected === 'end') throw malformed();
  if (code === walk.open.at(-1) && mayClose.has(expected)) return close(walk);
  if (expected === 'value' || expected === 'firstElement') return beginValue(walk, code);
  if (expected === 'name' || expected === 'firstName') return beginName(walk, code);
  if (code !== (expected === 'colon' ? codes.colon : codes.comma)) throw malformed();
  return pass(walk, expected === 'next' && isInObject(walk) ? 'name' : 'value');
}

const mayClose: ReadonlySet<Expected> = new Set(['next', 'firstElement', 'firstName']);
const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isInObject = ({ open }: Walk) => open.at(-1) === codes.endBrace;

function pass(walk: Walk, expected: Expected): Expected {
  walk.at++;
  return expected;
}

function beginName(walk: Walk, code: number): Expected {
  if (code !== codes.quote) throw malformed();
  const depth = walk.open.length;
  const isTold = depth === 1 || (depth === 2 && walk.begun[1] !== undefined);
  const name = isTold ? nameAt(walk) : undefined;
  walk.begun[depth] = name === undefined ? undefined : { name, start: walk.at };
  walk.isInString = true;
  return pass(walk, 'colon');
}

const nameAt = ({ text, at, names }: Walk) => names.find((name) => text.startsWith(name, at));

function beginValue(walk: Walk, code: number): Expected {
  const begun = walk.begun[walk.open.length];
  if (begun) begun.start = walk.at;
  if (code === codes.brace) return enter(walk, codes.endBrace);
  if (code === codes.bracket) return enter(walk, codes.endBracket);
  walk.isInString = code === codes.quote;
  walk.at = walk.isInString ? walk.at + 1 : endOfPrimitive(walk);
  return walk.isInString ? 'next' : endValue(walk);
}

function enter(walk: Walk, closing: number): Expected {
  if (walk.open.push(closing) > maxDepth) throw malformed();
  return pass(walk, closing === codes.endBrace ? 'firstName' : 'firstElement');
}

function close(walk: Walk): Expected {
  walk.open.pop();
  walk.at++;
  return endValue(walk);
}

function endValue(walk: Walk): Expected {
  const depth = walk.open.length;
  if (depth === 0) return 'end';
  const begun = isInObject(walk) ? walk.begun[depth] : undefined;
  if (begun) walk.onMember({ ...begun, within: walk.begun[depth - 1]?.name, end: walk.at });
  return 'next';
}

function endOfPrimitive({ text, at }: Walk): number {
  const most = Math.min(text.length, at + longestPrimitive + 1);
  let end = at;
  while (end < most && !',]} \n\r\t'.includes(text.charAt(end))) end++;
  if (end - at > longestPrimitive || !primitive.test(text.slice(at, end))) throw malformed();
  return end;
}

/** Goes on in a string, to its end or that of the turn. */
function passString(walk: Walk, turnEnd: number): Expected {
  const { text } = walk;
  while (walk.at < turnEnd && walk.at < text.length) {
    const code = text.charCodeAt(walk.at);
    if (code === codes.quote) return endString(walk);
    if (code < 0x20) throw malformed();
    walk.at += code === codes.backslash ? lengthOfEscape(text, walk.at) : 1;
  }
  return walk.expected;
}

function lengthOfEscape(text: string, at: number): number {
  const kind = text.charAt(at + 1);
  if (kind !== '' && '"\\/bfnrt'.includes(kind)) return 2;
  if (kind !== 'u' || !hexDigits.test(text.slice(at + 2, at + 6))) throw malformed();
  return 6;
}

function endString(walk: Walk): Expected {
  walk.at++;
  walk.isInString = false;
  return walk.expected === 'colon' ? 'colon' : endValue(walk);
}
