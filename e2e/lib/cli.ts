import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../hack/lib/paths.ts';

/** The command line as processes of the file that `make up` leaves. */

export const bin = join(projectRoot, '.slipway', 'bin');
const program = join(bin, 'slipway');
export const exec = promisify(execFile);

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing member fails with a clear message
  json: any;
}

const changingProfiles = /^(login|logout|profile use|workspace use)\b/;

/** All suites use the profile that `make up` leaves: what changes profiles names a file of its own. */
function environmentFor(args: string[], own: Record<string, string> = {}) {
  if (changingProfiles.test(args.join(' ')) && !own.SLIPWAY_CONFIG)
    throw new Error(`"slipway ${args.join(' ')}" needs SLIPWAY_CONFIG: it changes the profile of all suites`);
  return { PATH: process.env.PATH, HOME: process.env.HOME, ...own };
}

/** Runs the command to its end. */
export async function slipway(
  args: string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const env = environmentFor(args, options.env);
  const running = exec(program, args, { env, maxBuffer: 64 * 1024 * 1024 });
  running.child.stdin?.on('error', () => undefined).end(options.input ?? '');
  const { code, stdout, stderr } = await running.then(
    (output) => ({ code: 0, ...output }),
    (error) => ({ code: Number(error.code), stdout: String(error.stdout), stderr: String(error.stderr) }),
  );
  const json = args.includes('--json') && stdout ? JSON.parse(stdout) : undefined;
  return { code, stdout, stderr, json };
}

/** The same, for what must succeed. */
export async function ok(
  args: string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const outcome = await slipway(args, options);
  expect([args, outcome.code, outcome.stderr]).toEqual([args, 0, expect.any(String)]);
  expect(outcome.stdout + outcome.stderr).not.toContain('\u001b');
  return outcome;
}

/** A process that goes on; `text` resolves when it has printed that. */
export function start(args: string[], env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(program, args, { env: environmentFor(args, env) });
  let printed = '';
  const listeners = new Set<() => void>();
  const onData = (chunk: Buffer) => {
    printed += chunk;
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', onData);
  child.stderr?.on('data', onData);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const seen = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => printed.includes(text) && resolve();
      listeners.add(check);
      check();
      void ended.then(() => reject(new Error(`ended before "${text}": ${printed}`)));
    });
  return { seen, ended, interrupt: () => child.kill('SIGINT'), printed: () => printed };
}
