import { Command, type CommanderError, InvalidArgumentError, Option } from 'commander';
import { fail } from './failure.ts';
import { type Options, optionsOf, wholeNumber } from './options.ts';
import { type CommandSpec, globalOptions, nameOf, type OptionSpec } from './spec.ts';

export interface ProgramOptions {
  name: string;
  version: string;
  out: (text: string) => void;
  err: (text: string) => void;
  columns: number;
  /** Called for the command that the arguments select. */
  act: (spec: CommandSpec, call: { args: string[]; options: Options }) => Promise<void>;
}

/** The commander program for a tree of commands. Wrong usage throws a failure; help and version throw commander's error. */
export function createProgram(root: CommandSpec, options: ProgramOptions): Command {
  const program = build(root, options, new Command(options.name));
  program.version(options.version, '-V, --version', 'Print the version.');
  for (const one of globalOptions) program.addOption(optionFor(one));
  return program;
}

function build(spec: CommandSpec, options: ProgramOptions, command: Command): Command {
  command
    .description(descriptionOf(spec))
    .summary(spec.summary)
    .helpOption('-h, --help', 'Show help for the command.')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(options.columns, 100) })
    .configureOutput({ writeOut: options.out, writeErr: options.err, outputError: () => {} })
    .exitOverride((error) => {
      throw usageError(error, command);
    });
  for (const argument of spec.usage.split(' ').slice(1)) command.argument(argument);
  for (const one of spec.options ?? []) command.addOption(optionFor(one));
  if (spec.examples) command.addHelpText('after', examplesText(spec.examples));
  for (const child of spec.children ?? []) {
    command.addCommand(build(child, options, new Command(nameOf(child))));
  }
  if (spec.run) {
    command.action(() => {
      refuseIgnored(command, spec.options ?? []);
      return options.act(spec, { args: command.args, options: optionsOf(command.optsWithGlobals()) });
    });
  }
  return command;
}

function optionFor({ flags, text, choices, isMany, isRequired, least, excludes = [] }: OptionSpec): Option {
  const option = new Option(flags, text);
  if (choices) option.choices([...choices]);
  const read = (value: string) => (choices ? choiceOf(value, choices) : value);
  if (choices) option.argParser(read);
  if (isMany) {
    option.argParser((value: string, previous: string[] | undefined) => [...(previous ?? []), read(value)]);
  }
  if (least !== undefined)
    option.argParser((value: string) => wholeNumber(value, option.long ?? flags, least));
  if (isRequired) option.makeOptionMandatory();
  option.conflicts([...excludes]);
  return option;
}

/** The choice that is meant, in letters of any case. */
function choiceOf(value: string, choices: readonly string[]): string {
  const found = choices.find((one) => one.toLowerCase() === value.toLowerCase());
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
}

/** Throws for an option that does nothing without another one. */
function refuseIgnored(command: Command, specs: readonly OptionSpec[]): void {
  const given = command.opts();
  for (const { flags, needs = [] } of specs) {
    const option = new Option(flags);
    const isIgnored = given[option.attributeName()] !== undefined && !needs.some((one) => given[one]);
    if (needs.length === 0 || !isIgnored) continue;
    const others = needs.map((one) => `--${one}`).join(' or ');
    throw fail(
      'usage',
      `${option.long} has no effect without ${others}.`,
      `Add ${others}, or leave it out. See: ${pathOf(command)} --help`,
    );
  }
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ ${example.replaceAll('\n', '\n    ')}\n`).join('')}`;
}

const shown = ['commander.helpDisplayed', 'commander.version'];

/** What commander ends with: as it is when it has shown what was asked for, otherwise the failure "usage". */
function usageError(error: CommanderError, command: Command): Error {
  if (shown.includes(error.code)) return error;
  const help = `${pathOf(command)} --help`;
  if (error.code === 'commander.help') {
    return fail('usage', `${pathOf(command)} needs a command.`, `See: ${help}`);
  }
  const [what = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
  const hint = hints.join(' ').replace(/^\((.*)\)$/, '$1 ');
  return fail('usage', `${what.replace(/\.$/, '')}.`, `${hint}See: ${help}`);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function descriptionOf({ summary, details }: CommandSpec): string {
  // Commander wraps; line ends of the source would stay in the middle of lines.
  return details ? `${summary}\n\n${details.replaceAll(/(?<!\n)\n(?!\n)/g, ' ')}` : summary;
}
