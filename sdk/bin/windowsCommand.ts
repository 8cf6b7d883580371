import { win32 } from 'node:path';

/** What to spawn: a program, its arguments, and whether they are escaped already. */
export interface Spawned {
  file: string;
  args: string[];
  windowsVerbatimArguments?: boolean;
}

interface Windows {
  env: Readonly<Record<string, string | undefined>>;
  isFile(path: string): boolean;
}

/**
 * A command as Windows can start it. npm, npx and what packages install are batch files there, which only cmd.exe runs, and
 * which Node refuses to start by themselves.
 */
export function windowsCommand(command: readonly string[], windows: Windows): Spawned {
  const [program = '', ...args] = command;
  if (!/\.(?:cmd|bat)$/i.test(fileOf(program, windows))) return { file: program, args };
  const line = [escaped(win32.normalize(program)), ...args.map(argument)].join(' ');
  return {
    file: windows.env.comspec || 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** The file that Windows finds for a program: in this folder, then in PATH, with the endings that PATHEXT names. */
function fileOf(program: string, { env, isFile }: Windows): string {
  const endings = (env.PATHEXT || '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';');
  const names = endings.includes(win32.extname(program).toLowerCase())
    ? [program]
    : endings.map((ending) => `${program}${ending}`);
  const folders = /[\\/]/.test(program) ? [''] : ['', ...(env.PATH ?? '').split(';')];
  const paths = folders.flatMap((folder) => names.map((name) => win32.join(folder, name)));
  return paths.find(isFile) ?? program;
}

/** As programs read it (https://qntm.org/cmd), for two readings by cmd.exe: the line itself, and the batch file's `%*`. */
function argument(text: string): string {
  const quoted = text.replaceAll(/\\+|"/g, (part, at: number) => inQuotes(part, text[at + part.length]));
  return escaped(escaped(`"${quoted}"`));
}

/** Backslashes count before a quote alone, such as the one that will follow the text. */
function inQuotes(part: string, next: string | undefined): string {
  if (part === '"') return '\\"';
  return next === undefined || next === '"' ? part.repeat(2) : part;
}

function escaped(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
