import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';

export interface CompilerLimits {
  seconds: number;
  memoryMiB: number;
}

export interface CompilerRun {
  /** The compiler's file. */
  file: string;
  /** The commit that it must be built from; empty: any. */
  commit: string;
  /** Standard JSON. */
  input: string;
  limits: CompilerLimits;
  clock: Clock;
}

/** Twice the ABI that can be kept. */
const maxOutputBytes = 2 * 1024 * 1024;
const pageBytes = 64 * 1024;
const otherBuild = 3;

const isSource = import.meta.url.endsWith('.ts');
const script = fileURLToPath(new URL(isSource ? './compileChild.ts' : './compileChild.js', import.meta.url));

/**
 * The standard JSON output of a compiler that runs in a process of its own, which may read nothing but its program and
 * the compiler. Rejects with BadRequest when it takes more time, memory or output than it may.
 */
export function runCompiler(run: CompilerRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flagsOf(run), script, run.file, run.commit], {
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let refusal: string | undefined;
    const end = (reason: string) => {
      refusal ??= reason;
      child.kill('SIGKILL');
    };
    const { seconds } = run.limits;
    const cancel = run.clock.after(seconds * 1000, () =>
      end(`it takes more than ${seconds} s (compilers.seconds)`),
    );
    const output = collect(child.stdout, () =>
      end(`its output has more than ${maxOutputBytes} bytes, most of which is the ABI`),
    );
    const complaint = collect(child.stderr, () => undefined);
    child.once('error', reject);
    child.once('close', (code) => {
      cancel();
      const isDone = code === 0 && refusal === undefined && output.length > 0;
      if (isDone) return resolve(Buffer.concat(output).toString('utf8'));
      const reason = refusal ?? reasonOf(code, complaint, run);
      reject(new AppError('BadRequest', `the compilation was ended: ${reason}`));
    });
    feed(child, run.input);
  });
}

/** The memory of a compiler is WebAssembly's; its heap holds the input and the output. */
function flagsOf({ file, limits }: CompilerRun): string[] {
  const folders = isSource ? [join(dirname(script), '..', '..')] : [script];
  return [
    '--permission',
    ...[...folders, file].map((path) => `--allow-fs-read=${path}`),
    `--wasm-max-mem-pages=${Math.ceil((limits.memoryMiB * 1024 * 1024) / pageBytes)}`,
    '--max-old-space-size=256',
  ];
}

function feed({ stdin }: ChildProcessByStdio<Writable, Readable, Readable>, input: string): void {
  // A child that ends early has not read all of it.
  stdin.on('error', () => undefined);
  stdin.end(input);
}

function collect(stream: Readable, onTooMuch: () => void): Buffer[] {
  const parts: Buffer[] = [];
  let length = 0;
  stream.on('data', (part: Buffer) => {
    length += part.length;
    if (length > maxOutputBytes) return onTooMuch();
    parts.push(part);
  });
  return parts;
}

function reasonOf(
  code: number | null,
  complaint: readonly Buffer[],
  { commit, limits }: CompilerRun,
): string {
  if (code === otherBuild) {
    const version = cut(Buffer.concat([...complaint]).toString('utf8'));
    return `the contract names the build ${commit}, but the installation has ${version}`;
  }
  return `it ended without an output, as it does when it needs more than ${limits.memoryMiB} MiB (compilers.memoryMiB)`;
}
