import { cut } from '../../../lib/text/foreignText.ts';
import type { FlagType } from './flagTypes.ts';
import { splitWords } from './words.ts';

/** The flags of a client that a network may set, as its documentation writes them. */
export type AllowedFlags = Readonly<Record<string, FlagType>>;

/** The arguments as the client gets them, or why it may not have them and what to do. */
export type ReadArgs = { args: string[] } | { refusal: string };

/**
 * Reads a line of extra arguments: flags with values, as `--flag=value` or `--flag value`, and switches. The client gets one
 * argument for each, in one form, so that nothing of the line is passed on as it was written.
 */
export function readExtraArgs(line: string, allowed: AllowedFlags): ReadArgs {
  const words = splitWords(line);
  if (!words) return { refusal: 'has an unclosed quote: close it' };
  const args = new Map<string, string>();
  for (let at = 0; at < words.length; ) {
    const { flag, value, length } = argumentAt(words, at, allowed);
    const type = typeOf(flag, allowed);
    if (!type) return { refusal: unknownFlag(flag, allowed) };
    const written = type.write(value);
    if (written === undefined) return { refusal: wrongValue(flag, value, type) };
    if (args.has(flag)) return { refusal: `"${flag}" is given twice: keep one` };
    args.set(flag, `${flag}${written}`);
    at += length;
  }
  const refusal = brokenRule(args, allowed);
  return refusal === undefined ? { args: [...args.values()] } : { refusal };
}

/** Why the flags that are there do not go together. */
function brokenRule(args: ReadonlyMap<string, string>, allowed: AllowedFlags): string | undefined {
  const numberOf = (flag: string, otherwise: number) =>
    BigInt(args.get(flag)?.slice(flag.length + 1) ?? otherwise);
  for (const flag of args.keys()) {
    const refusal = allowed[flag]?.rule?.refusalOf(numberOf);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

interface Argument {
  flag: string;
  value: string | undefined;
  /** The number of its words. */
  length: 1 | 2;
}

function argumentAt(words: readonly string[], at: number, allowed: AllowedFlags): Argument {
  const [word = '', next] = words.slice(at, at + 2);
  const sign = word.indexOf('=');
  if (sign !== -1) return { flag: word.slice(0, sign), value: word.slice(sign + 1), length: 1 };
  const isFollowed = next !== undefined && !next.startsWith('-');
  if (!isFollowed || typeOf(word, allowed)?.isSwitch !== false) {
    return { flag: word, value: undefined, length: 1 };
  }
  return { flag: word, value: next, length: 2 };
}

function typeOf(flag: string, allowed: AllowedFlags): FlagType | undefined {
  return Object.hasOwn(allowed, flag) ? allowed[flag] : undefined;
}

function unknownFlag(flag: string, allowed: AllowedFlags): string {
  const subject = `${quote(flag)} is not allowed`;
  if (!flag.startsWith('-')) return `${subject}: it is neither a flag nor the value of one`;
  const known = Object.keys(allowed);
  const meant = known.find((one) => nameOf(one) === nameOf(flag));
  if (meant !== undefined) return `${subject}: write "${meant}"`;
  return `${subject}: the network sets everything else; allowed: ${known.sort().join(', ')}`;
}

function nameOf(flag: string): string {
  return flag.replace(/^-+/, '');
}

function wrongValue(flag: string, value: string | undefined, { takes }: FlagType): string {
  const given = value === undefined ? 'it has none' : `not ${quote(value)}`;
  return `"${flag}" takes ${takes}, ${given}`;
}

const maxQuoted = 64;

/** A text that may have any characters, and many: those that are not ASCII are shown by their numbers. */
function quote(text: string): string {
  return JSON.stringify(cut(text, maxQuoted)).replace(/[^ -~…]/g, numberOf);
}

function numberOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
