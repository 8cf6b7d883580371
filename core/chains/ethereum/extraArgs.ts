import type { AllowedArgs } from './allowedArgs.ts';

const quoted = /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g;
const wordAt = /\s*((?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+)\s*/y;

/**
 * Splits a line into words as a POSIX shell does: at blanks, with quotes and backslashes, without any expansion.
 * Returns undefined when a quote is left open.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  for (let at = line.search(/\S|$/); at < line.length; at = wordAt.lastIndex) {
    wordAt.lastIndex = at;
    const word = wordAt.exec(line)?.[1];
    if (word === undefined) return undefined;
    words.push(unquote(word));
  }
  return words;
}

function unquote(word: string): string {
  return word.replace(quoted, (...[, escaped, inDouble, inSingle]: (string | undefined)[]) => {
    return escaped ?? inDouble?.replace(/\\(["\\$`])/g, '$1') ?? inSingle ?? '';
  });
}

/** An extra argument that is not possible, and why. */
export interface RefusedArg {
  arg: string;
  reason: string;
}

/** The first of the extra arguments that a client may not have; undefined when all are allowed. */
export function findRefused(words: readonly string[], allowed: AllowedArgs): RefusedArg | undefined {
  let isValueDue = false;
  for (const [index, word] of words.entries()) {
    const isValue: boolean = isValueDue && !word.startsWith('-');
    const { flag, value }: Parts = isValue ? { flag: words[index - 1] ?? '', value: word } : partsOf(word);
    const reason = (isValue ? undefined : reasonOf({ flag, value }, allowed)) ?? reasonOfValue(value ?? '');
    if (reason) return { arg: flag, reason };
    isValueDue = !isValue && value === undefined && allowed.values.includes(nameOf(flag));
  }
  return undefined;
}

interface Parts {
  flag: string;
  value: string | undefined;
}

function partsOf(word: string): Parts {
  const at = word.indexOf('=');
  return at === -1 || !word.startsWith('-')
    ? { flag: word, value: undefined }
    : { flag: word.slice(0, at), value: word.slice(at + 1) };
}

function nameOf(flag: string): string {
  return flag.replace(/^--?/, '');
}

function reasonOf({ flag, value }: Parts, { values, switches }: AllowedArgs): string | undefined {
  if (!flag.startsWith('-')) return 'it is neither a flag nor the value of one';
  const name = nameOf(flag);
  if (values.includes(name)) return undefined;
  if (!switches.includes(name)) {
    const all = [...values, ...switches].map((known) => `--${known}`).sort();
    return `the network sets everything else; allowed: ${all.join(', ')}`;
  }
  const isPlain = value === undefined || value === 'true' || value === 'false';
  return isPlain ? undefined : 'it takes no value but true and false';
}

/** A flag may take several kinds of values, so these are refused whatever the flag. */
function reasonOfValue(value: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return 'nodes must not connect to external addresses';
  if (/^(\/|\.\.?\/|~)/.test(value) || value.includes('..')) return 'the network sets files and folders';
  return value.includes('$(') ? 'variables are not expanded' : undefined;
}
