import type { EnginePart, Program } from '../driver.ts';

type Part = Pick<EnginePart, 'files' | 'init'> & Program;

/**
 * What shells read in the pods of these parts: the scripts among their files, and the commands that replace entry points. It is
 * the same for every network: what differs, a script gets as arguments and variables.
 */
export function scriptsOf(parts: readonly Part[]): string[] {
  const programs = parts.flatMap((part) => [part, ...(part.init ?? [])]);
  const files = parts.flatMap((part) => Object.entries(part.files));
  const scripts = files.filter(([path, text]) => path.endsWith('.sh') || text.startsWith('#!'));
  return [...programs.map(({ command }) => JSON.stringify(command ?? [])), ...scripts.flat()];
}
