import { blocksOf } from './codeBlocks.ts';

/** The commands under a heading of docs/keys.md, exactly as printed, after those that all its sections use. */
export function runbookCommands(heading: string): string {
  return `${commandsUnder('docs/keys.md', 'Commands')}\n${commandsUnder('docs/keys.md', heading)}`;
}

/** The first commands under a heading of a page, exactly as printed. */
export function commandsUnder(page: string, heading: string): string {
  const commands = blocksOf(page).find((one) => one.heading === heading && one.language === 'sh')?.text;
  if (!commands) throw new Error(`${page} has no commands under "${heading}"`);
  return commands;
}
