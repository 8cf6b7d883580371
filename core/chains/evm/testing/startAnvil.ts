import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type EnginePart, forkUrlVariable } from '../../driver.ts';

/** The binary itself: its npm wrapper would be a process between the test and anvil. */
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const packageFolder = `node_modules/@foundry-rs/anvil-${process.platform}-${architecture}`;
const root = join(import.meta.dirname, '..', '..', '..', '..');
const binaryFolder = join(root, packageFolder, 'bin');
/** The engine image's own entry point, so that the test runs the same as a pod. */
const entryPoint = join(root, 'engines', 'evm-dev', 'entrypoint.sh');

export interface RunningAnvil {
  url: string;
  /** Stops it like a Restart, and starts it again on the same chain. */
  restart(): Promise<RunningAnvil>;
  stop(): Promise<void>;
}

/**
 * Runs a plan's part for a test as its pod would: the same arguments and files, but the files in a temporary folder and a
 * free local port. Rejects with the engine's output when it exits before it serves.
 */
export async function startAnvil(part: EnginePart, forkUrl = ''): Promise<RunningAnvil> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-anvil-'));
  const replacements: Record<string, string> = {
    '0.0.0.0': '127.0.0.1',
    [String(part.ports.rpc)]: '0',
    [`$(${forkUrlVariable})`]: forkUrl,
  };
  for (const [path, text] of Object.entries(part.files)) {
    const file = join(folder, basename(path));
    writeFileSync(file, text);
    replacements[path] = file;
  }
  const args = part.args.map((arg) => replacements[arg] ?? arg);
  return run(folder, args);
}

/** Runs the engine on the chain in `folder`, or on a new one. */
async function run(folder: string, args: string[]): Promise<RunningAnvil> {
  const env = {
    PATH: `${binaryFolder}:/usr/bin:/bin`,
    HOME: folder,
    FIRST_STATE: join(folder, 'state.json'),
    STATE: join(folder, 'kept.json'),
  };
  const child = spawn('/bin/sh', [entryPoint, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    await end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  const restart = async () => {
    await end('SIGTERM');
    return run(folder, args);
  };
  try {
    return { url: `http://${await listeningAddress(child)}`, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address that the engine prints once it serves. */
function listeningAddress(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    const address = /Listening on (\S+)/.exec(output)?.[1];
    if (!address) return;
    resolve(address);
    // Later output, several lines per transaction, is drained and not kept.
    for (const stream of [child.stdout, child.stderr]) stream.off('data', read).resume();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('error', reject);
  child.once('close', (code) => reject(new Error(`anvil exited with ${code}: ${output}`)));
  return promise;
}
