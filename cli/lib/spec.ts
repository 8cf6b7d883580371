import type { Context } from './context.ts';
import type { Options } from './options.ts';

export interface OptionSpec {
  /** As commander writes them: `-f, --file <path>`, `--wait`, `--label <key=value>`. */
  flags: string;
  text: string;
  choices?: readonly string[];
  /** May be given several times. */
  isMany?: boolean;
  isRequired?: boolean;
  /** It takes a whole number, of at least this. */
  least?: number;
  /** Options, in camel case, that would be ignored beside this one. */
  excludes?: readonly string[];
  /** Options, in camel case, of which one must be there too: it would be ignored otherwise. */
  needs?: readonly string[];
}

export interface Call {
  /** As given; those of a variadic argument follow one by one. */
  args: readonly string[];
  options: Options;
}

/** What an argument names, which completion and documents use. */
export interface CommandSpec {
  /** Name and arguments: `get <network>`. */
  usage: string;
  summary: string;
  details?: string;
  options?: readonly OptionSpec[];
  examples?: readonly string[];
  /** The names that arguments may have, where they are few. */
  argChoices?: readonly string[];
  /** The option, in camel case, with which the user gives a request of their own. */
  bodyOption?: string;
  /** What to do when the service finds nothing, if it is not about an object that commands find by its name. */
  notFound?: string;
  /** It may run until the user interrupts it, and then ends without a message. */
  isEndless?: boolean;
  run?: (context: Context, call: Call) => Promise<void>;
  children?: readonly CommandSpec[];
}

/** The name in `usage`. */
export function nameOf({ usage }: CommandSpec): string {
  return usage.split(' ')[0] ?? usage;
}

export const waitOption: OptionSpec = { flags: '--wait', text: 'Wait until it is done, and show each step.' };

export const timeoutOption: OptionSpec = {
  flags: '--timeout <duration>',
  text: 'How long to wait, such as 90s (10m). After that, the exit code is 124.',
};

export const waitOptions: readonly OptionSpec[] = [waitOption, { ...timeoutOption, needs: ['wait'] }];

export const limitOption: OptionSpec = {
  flags: '--limit <number>',
  text: 'Maximum number of items.',
  least: 1,
};

export const listOptions: readonly OptionSpec[] = [
  { flags: '--selector <text>', text: "Filter, such as 'status.state == Operational'." },
  { flags: '-l, --label <key=value>', text: 'Only objects with this label; may be repeated.', isMany: true },
  limitOption,
];

export const globalOptions: readonly OptionSpec[] = [
  {
    flags: '--json',
    text: 'Print one JSON object, and of commands that go on or do several things, one per line for each.',
    excludes: ['ndjson'],
  },
  { flags: '--ndjson', text: 'Print one JSON object per line: items, events, and the steps of a wait.' },
  {
    flags: '-q, --quiet',
    text: 'Print only ids, hashes, URLs and secrets that are shown only once, and no progress.',
  },
  { flags: '--profile <name>', text: 'Use this profile (SLIPWAY_PROFILE).' },
  { flags: '--workspace <workspace>', text: 'Act in this workspace, by name or id (SLIPWAY_WORKSPACE).' },
];
