import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { systemClock } from '../../core/lib/clock.ts';
import { exitCodes, fail } from '../lib/failure.ts';
import type { Input, Io, Output } from './io.ts';
import { prompt } from './prompt.ts';

/** The real process: its streams, environment and signals. */
export function createProcessIo(): Io {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      // A second signal ends what the first one could not.
      if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
      interruption.abort();
    });
  }
  // A reader that has gone, as in "slipway network list | head -1", wants no more: that is not a failure.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(exitCodes.ok);
    process.stderr.write(`Error: the output cannot be written: ${code}.\n`);
    process.exit(exitCodes.failed);
  });
  process.stderr.on('error', () => {});
  return {
    env: process.env,
    home: homedir(),
    stdin: input(interruption),
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    clock: systemClock,
    signal: interruption.signal,
    fetch,
    open: openPage,
  };
}

function output(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 100;
    },
  };
}

function input(interruption: AbortController): Input {
  return {
    isTerminal: process.stdin.isTTY === true,
    read: () => buffer(process.stdin),
    ask: (question, isHidden = false) =>
      prompt({
        from: process.stdin,
        to: process.stderr,
        question,
        isHidden,
        signal: interruption.signal,
        interrupt: () => interruption.abort(),
      }),
  };
}

/** On Windows not explorer, which opens a folder when the address has a query. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function openPage(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', ({ message }) => reject(noBrowser(message)));
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

function noBrowser(why: string): Error {
  return fail(
    'failed',
    `No browser can be opened here: ${why}.`,
    'Leave out --browser, and open the address in one that you have.',
  );
}
