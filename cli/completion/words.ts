import { type CommandSpec, globalOptions, nameOf, type OptionSpec } from '../lib/spec.ts';
import { namedKinds } from './names.ts';

/** What may follow a command. */
export interface Place {
  /** The words that lead to it: `slipway network create`. */
  path: string;
  children: readonly { name: string; summary: string }[];
  options: readonly OptionWords[];
  /** What its first argument names, of what `slipway completion names` lists. */
  named?: string | undefined;
}

export interface OptionWords {
  /** With their dashes: `--wait`, `-f`. */
  names: readonly string[];
  text: string;
  /** Whether a value follows. */
  takesValue: boolean;
  /** Whether that is a path. */
  isPath: boolean;
  choices: readonly string[];
}

const help: OptionSpec = { flags: '-h, --help', text: 'Show help for the command.' };

/** Every place in the tree of commands. */
export function placesOf(spec: CommandSpec, prefix = ''): Place[] {
  const path = prefix ? `${prefix} ${nameOf(spec)}` : nameOf(spec);
  const children = spec.children ?? [];
  const here: Place = {
    path,
    children: children.map((child) => ({ name: nameOf(child), summary: child.summary })),
    options: [...(spec.options ?? []), ...globalOptions, help].map(wordsOf),
    named: namedBy(spec),
  };
  return [here, ...children.flatMap((child) => placesOf(child, path))];
}

function namedBy({ usage }: CommandSpec): string | undefined {
  const first = /^\S+ [<[]([a-z]+)/.exec(usage)?.[1];
  return namedKinds.find((kind) => kind === first);
}

function wordsOf({ flags, text, choices = [] }: OptionSpec): OptionWords {
  const names = flags.match(/(?<=^|[\s,])--?[a-z][a-z-]*/g) ?? [];
  const value = /<([^<>]+)>/.exec(flags)?.[1];
  return {
    names,
    text,
    takesValue: value !== undefined,
    isPath: value === 'path' || value === 'file',
    choices,
  };
}
