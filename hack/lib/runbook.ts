import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** The commands under a heading of docs/keys.md, exactly as printed, after those that all its sections use. */
export function runbookCommands(heading: string): string {
  return `${commandsUnder('docs/keys.md', 'Commands')}\n${commandsUnder('docs/keys.md', heading)}`;
}

/** The first commands under a heading of a page, exactly as printed. */
export function commandsUnder(page: string, heading: string): string {
  const sections = readFileSync(join(projectRoot, page), 'utf8').split(/^##+ /m);
  const section = sections.find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const [, commands] = /```sh\n(.*?)```/s.exec(section) ?? [];
  if (!commands) throw new Error(`${page} has no commands under "${heading}"`);
  return commands;
}
