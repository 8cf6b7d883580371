import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What GitHub's runner and an action tell each other: environment variables, files, and lines on standard output. */
export interface Runner {
  /** '' when it is not given. */
  input(name: string): string;
  /** What an earlier part of the action saved. */
  state(name: string): string;
  saveState(name: string, value: string): void;
  setOutput(name: string, value: string): void;
  exportVariable(name: string, value: string): void;
  /** Adds a folder to the PATH of later steps. */
  addPath(folder: string): void;
  /** Keeps a value out of logs from now on. */
  mask(value: string): void;
  info(text: string): void;
  warning(text: string): void;
  error(text: string): void;
}

type Environment = Record<string, string | undefined>;

/** The runner that started this process. */
export function createRunner(environment: Environment, print: (line: string) => void): Runner {
  const command = (name: string, text: string) => print(`::${name}::${escaped(text)}`);
  const append = (file: string, name: string, value: string) =>
    appendEntry(fileOf(environment, file), name, value);
  return {
    input: (name) => environment[`INPUT_${name.toUpperCase()}`]?.trim() ?? '',
    state: (name) => environment[`STATE_${name}`] ?? '',
    saveState: (name, value) => append('GITHUB_STATE', name, value),
    setOutput: (name, value) => append('GITHUB_OUTPUT', name, value),
    exportVariable: (name, value) => append('GITHUB_ENV', name, value),
    addPath: (folder) => appendFileSync(fileOf(environment, 'GITHUB_PATH'), `${folder}\n`),
    mask: (value) => {
      if (value !== '') command('add-mask', value);
    },
    info: (text) => print(text.replaceAll(/^::/gm, ' ::')),
    warning: (text) => command('warning', text),
    error: (text) => command('error', text),
  };
}

/** JSON that an input contains, or that the file contains which it names. Throws Error that says what is wrong. */
export function jsonInput(text: string): unknown {
  const isFile = !text.startsWith('{');
  if (isFile && !existsSync(text)) throw new Error(`spec: there is no file ${text}`);
  try {
    return JSON.parse(isFile ? readFileSync(text, 'utf8') : text);
  } catch (cause) {
    throw new Error(`spec: not valid JSON${isFile ? ` in ${text}` : ''}`, { cause });
  }
}

/** A delimiter that no value contains, so that a value cannot add entries of its own. */
function appendEntry(file: string, name: string, value: string): void {
  const delimiter = `end-${randomUUID()}`;
  appendFileSync(file, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
}

function fileOf(environment: Environment, name: string): string {
  const file = environment[name];
  if (!file) throw new Error('this program is a part of a GitHub Action: the runner starts it');
  return file;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
