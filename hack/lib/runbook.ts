import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** The commands under a heading of docs/keys.md, exactly as printed, after those that all its sections use. */
export function runbookCommands(heading: string): string {
  const text = readFileSync(join(projectRoot, 'docs', 'keys.md'), 'utf8');
  const sections = text.split(/^##+ /m);
  const commandsUnder = (title: string): string => {
    const section = sections.find((one) => one.startsWith(`${title}\n`)) ?? '';
    const [, commands] = /```sh\n(.*?)```/s.exec(section) ?? [];
    if (!commands) throw new Error(`docs/keys.md has no commands under "${title}"`);
    return commands;
  };
  return `${commandsUnder('Commands')}\n${commandsUnder(heading)}`;
}
