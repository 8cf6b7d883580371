import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../core/lib/clock.ts';
import type { Io } from '../io/io.ts';
import { run } from '../run.ts';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
  /** The only object on stdout. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape.
  json: any;
}

interface RunOptions {
  env?: Record<string, string>;
  stdin?: string | Buffer;
  /** What the user answers to questions on a terminal; stdin is none without it. */
  answers?: string[];
  isTerminal?: boolean;
  clock?: Clock;
  signal?: AbortSignal;
  fetch?: typeof fetch;
  /** Called with everything that has been written to stderr. */
  onProgress?: (stderr: string) => void;
  /** Called with everything that has been written to stdout. */
  onOutput?: (stdout: string) => void;
}

export interface TestCli {
  home: string;
  opened: string[];
  (args: readonly string[], options?: RunOptions): Promise<Outcome>;
  close(): Promise<void>;
}

/** Runs commands in this process, with a home folder of its own. */
export async function createTestCli(env: Record<string, string> = {}): Promise<TestCli> {
  const home = await mkdtemp(join(tmpdir(), 'slipway-cli-'));
  const opened: string[] = [];
  const cli = async (args: readonly string[], options: RunOptions = {}): Promise<Outcome> => {
    let [stdout, stderr] = ['', ''];
    const answers = [...(options.answers ?? [])];
    const isTerminal = options.isTerminal ?? false;
    const io: Io = {
      env: { ...env, ...options.env },
      home,
      stdin: {
        isTerminal: options.answers !== undefined,
        read: async () => Buffer.from(options.stdin ?? ''),
        ask: async () => answers.shift() ?? '',
      },
      stdout: {
        isTerminal,
        columns: 100,
        write(text) {
          stdout += text;
          options.onOutput?.(stdout);
        },
      },
      stderr: {
        isTerminal,
        columns: 100,
        write(text) {
          stderr += text;
          options.onProgress?.(stderr);
        },
      },
      clock: options.clock ?? systemClock,
      signal: options.signal ?? new AbortController().signal,
      fetch: options.fetch ?? fetch,
      open: async (url) => void opened.push(url),
    };
    const code = await run('slipway', args, io);
    return { code, stdout, stderr, json: args.includes('--json') && stdout ? JSON.parse(stdout) : undefined };
  };
  const close = () => rm(home, { recursive: true, force: true });
  return Object.assign(cli, { home, opened, close });
}
