import { parseDurationMs } from './duration.ts';
import { fail } from './failure.ts';
import { isMembers, type Members } from './values.ts';

/** The options of a call, read by the name that they have in the command's declaration (camel case). */
export interface Options {
  text(name: string): string | undefined;
  isSet(name: string): boolean;
  /** Of an option with a `--no-` form: undefined when neither is given. */
  flag(name: string): boolean | undefined;
  list(name: string): string[];
  /** Of an option with `least` in its declaration, by which it was checked. */
  wholeNumber(name: string): number | undefined;
  durationMs(name: string): number | undefined;
  /** `key=value` pairs of a repeatable option. Throws a failure for a key that is given twice. */
  pairs(name: string, example?: string): Record<string, string> | undefined;
}

const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export function optionsOf(given: unknown): Options {
  const values: Members = isMembers(given) ? given : {};
  const text = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const list = (name: string) => {
    const value = values[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  };
  return {
    text,
    list,
    isSet: (name) => values[name] === true,
    flag: (name) => (typeof values[name] === 'boolean' ? values[name] === true : undefined),
    wholeNumber(name) {
      const value = values[name];
      return typeof value === 'number' ? value : undefined;
    },
    durationMs(name) {
      const value = text(name);
      return value === undefined ? undefined : parseDurationMs(value, flagOf(name));
    },
    pairs: (name, example = 'team=a') => pairs(list(name), flagOf(name), example),
  };
}

/** The number that is given for an option. */
export function wholeNumber(text: string, flag: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
  throw fail('usage', `${flag} ${text} is not a whole number of at least ${least}.`, 'Use digits only.');
}

function pairs(given: readonly string[], flag: string, example: string): Record<string, string> | undefined {
  if (given.length === 0) return undefined;
  const found = new Map<string, string>();
  for (const pair of given) {
    const index = pair.indexOf('=');
    if (index < 1)
      throw fail('usage', `${flag} ${pair} is not of the form key=value.`, `Example: ${flag} ${example}`);
    const key = pair.slice(0, index);
    if (found.has(key)) throw fail('usage', `${flag} ${key} is given twice.`, 'Give it once.');
    found.set(key, pair.slice(index + 1));
  }
  return Object.fromEntries(found);
}
