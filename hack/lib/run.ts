import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { lastLines } from './format.ts';

const TAIL_LINES = 20;

/** An error whose message is meant for the user: what went wrong and what to do. */
export class UserError extends Error {
  override name = 'UserError';
}

export interface RunOptions {
  cwd?: string;
  /** Added to this process's environment; undefined removes a variable. */
  env?: Record<string, string | undefined>;
  /** Written to the command's standard input. */
  input?: string;
  /** Standard output and error are also appended here; the error message of a failed command names this file. */
  logFile?: string;
  /** What the user can do when the command fails. */
  remedy?: string;
  /** The command is killed after this time. */
  timeoutMs?: number;
  /** Called with the last line printed, to show progress. */
  onLine?: (line: string) => void;
}

export interface RunResult {
  code: number;
  stdout: string;
  /** Standard output and error, interleaved in the order they arrived. */
  output: string;
}

/**
 * Runs a command to completion and returns its standard output.
 * When it fails, throws UserError with the last lines of its output, the log file and the remedy.
 */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const result = await tryRun(command, args, options);
  if (result.code === 0) return result.stdout;
  const lines = [`${command} ${args.join(' ')} failed (${describeCode(result.code)})`];
  const tail = lastLines(result.output, TAIL_LINES);
  if (tail) lines.push(tail);
  if (options.logFile) lines.push(`Full log: ${options.logFile}`);
  if (options.remedy) lines.push(`What to do: ${options.remedy}`);
  throw new UserError(lines.join('\n'));
}

const commands = new Set<ChildProcess>();

/** Waits for several works. When one fails, the commands that the others run are ended: nobody waits minutes for them. */
export async function together<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  try {
    return await Promise.all([one, other]);
  } catch (error) {
    for (const command of commands) command.kill();
    throw error;
  }
}

/** Runs a command to completion and never throws; code 127 means that it does not exist, 124 that it timed out. */
export function tryRun(command: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
  const { promise, resolve } = Promise.withResolvers<RunResult>();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  commands.add(child);
  const { logFile } = options;
  if (logFile) mkdirSync(dirname(logFile), { recursive: true });
  let stdout = '';
  let output = '';
  let hasTimedOut = false;
  const take = (chunk: string): void => {
    output += chunk;
    if (logFile) appendFileSync(logFile, chunk);
    const line = lastLines(chunk, 1).trim();
    if (line) options.onLine?.(line);
  };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    take(chunk);
  });
  child.stderr?.setEncoding('utf8').on('data', take);
  child.stdin?.on('error', () => undefined).end(options.input);
  const timer = options.timeoutMs ? setTimeout(expire, options.timeoutMs) : undefined;
  function expire(): void {
    hasTimedOut = true;
    child.kill('SIGKILL');
  }
  function end(code: number, reason = ''): void {
    clearTimeout(timer);
    commands.delete(child);
    resolve({ code: hasTimedOut ? 124 : code, stdout, output: output + reason });
  }
  child.once('error', (error) => end(127, error.message));
  child.once('close', (code, signal) => end(code ?? 128, signal ? `\nterminated by ${signal}` : ''));
  return promise;
}

function describeCode(code: number): string {
  if (code === 127) return 'command not found';
  if (code === 124) return 'timed out';
  return `exit code ${code}`;
}
