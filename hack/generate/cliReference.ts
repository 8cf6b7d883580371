import { type CommandSpec, globalOptions, nameOf, type OptionSpec } from '../../cli/lib/spec.ts';
import { root } from '../../cli/root.ts';
import { presentText, withSection } from './section.ts';

const path = 'docs/cli.md';

/** docs/cli.md: its reference of commands and options. The rest is written by hand. */
export function cliReference() {
  const page = withSection(presentText(path), 'options of every command', optionTable(globalOptions));
  return { path, text: withSection(page, 'commands', `\n${commandsText(root, '')}\n`) };
}

/** The commands that do something, each with its options and examples. */
function commandsText(spec: CommandSpec, prefix: string): string {
  const usage = prefix ? `${prefix} ${spec.usage}` : spec.usage;
  const here = spec.run ? [commandText(spec, usage)] : [];
  const heading = spec.run || prefix === '' ? [] : [`### ${nameOf(spec)}\n\n${spec.summary}\n`];
  const path = prefix ? `${prefix} ${nameOf(spec)}` : nameOf(spec);
  return [...heading, ...here, ...(spec.children ?? []).map((child) => commandsText(child, path))].join('\n');
}

function commandText({ summary, details, options = [], examples = [] }: CommandSpec, usage: string): string {
  return [
    `#### \`${usage}\`\n`,
    `${summary}\n`,
    ...(details ? [`${details.replaceAll('\n', ' ')}\n`] : []),
    ...(options.length > 0 ? [optionTable(options)] : []),
    ...(examples.length > 0 ? [`\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`] : []),
  ].join('\n');
}

function optionTable(options: readonly OptionSpec[]): string {
  const rows = options.map(({ flags, text, choices, isRequired }) => {
    const notes = [isRequired ? ' Required.' : '', choices ? ` One of: ${choices.join(', ')}.` : ''].join('');
    return `| \`${flags}\` | ${(text + notes).replaceAll('|', '\\|').replaceAll('<', '&lt;')} |\n`;
  });
  return `| option | |\n|---|---|\n${rows.join('')}`;
}
