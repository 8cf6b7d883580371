import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from '../../../lib/testing/freePort.ts';
import { partFileOf } from '../../../networks/snapshotParts.ts';
import { type EnginePart, forkUrlVariable, persistentVariable, snapshotVariable } from '../../driver.ts';

/** The binary itself: its npm wrapper would be a process between the test and anvil. */
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const packageFolder = `node_modules/@foundry-rs/anvil-${process.platform}-${architecture}`;
const root = join(import.meta.dirname, '..', '..', '..', '..');
const binaryFolder = join(root, packageFolder, 'bin');
/** The engine image's own entry point, so that the test runs the same as a pod. */
const entryPoint = join(root, 'engines', 'evm-dev', 'entrypoint.sh');

export interface RunningAnvil {
  url: string;
  /** Where the entry point finds the parts of a snapshot. */
  snapshotFolder: string;
  /** Where the entry point keeps the chain. */
  data: string;
  /** Stops it like a Restart, and starts it again on the same chain. */
  restart(): Promise<RunningAnvil>;
  /** Kills all its processes without warning, and starts it again on the same data. */
  crash(betweenRuns?: () => void): Promise<RunningAnvil>;
  /** Sends a signal to all its processes. */
  signal(signal: NodeJS.Signals): void;
  /** Calls `take` for each line that the engine prints from now on. */
  onLine(take: (line: string) => void): void;
  /** The process that runs the chain, which is a child of the entry point. */
  pid(): number;
  stop(): Promise<void>;
}

interface AnvilOptions {
  isPersistent?: boolean;
  /** The parts of a snapshot that a new chain begins from. */
  snapshot?: readonly Uint8Array[];
}

/**
 * Runs a plan's part for a test as its pod would: the same arguments and files, but the files in a temporary folder and a
 * free local port. Rejects with the engine's output when it exits before it serves.
 */
export async function startAnvil(
  part: EnginePart,
  forkUrl = '',
  options: AnvilOptions = {},
): Promise<RunningAnvil> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-anvil-'));
  const replacements: Record<string, string> = {
    '0.0.0.0': '127.0.0.1',
    [String(part.ports.rpc)]: String(await freePort()),
    [`$(${forkUrlVariable})`]: forkUrl,
  };
  for (const [path, text] of Object.entries(part.files)) {
    const file = join(folder, basename(path));
    writeFileSync(file, text);
    replacements[path] = file;
  }
  const args = part.args.map((arg) => replacements[arg] ?? arg);
  mkdirSync(join(folder, 'data'));
  if (options.snapshot) mkdirSync(join(folder, 'snapshot'));
  for (const [index, bytes] of (options.snapshot ?? []).entries()) {
    writeFileSync(join(folder, 'snapshot', partFileOf(index)), bytes);
  }
  return run(folder, args, options);
}

/** Runs the engine on the chain in `folder`, or on a new one. */
async function run(folder: string, args: string[], options: AnvilOptions): Promise<RunningAnvil> {
  const data = join(folder, 'data');
  const env = {
    PATH: `${binaryFolder}:/usr/bin:/bin`,
    HOME: folder,
    FIRST_STATE: join(folder, 'state.json'),
    DATA: data,
    SNAPSHOT: join(folder, 'snapshot'),
    ...(options.snapshot ? { [snapshotVariable]: 'before' } : {}),
    ...(options.isPersistent ? { [persistentVariable]: '1' } : {}),
  };
  // A process group of its own, so that a kill reaches the engine as well as its entry point, as in a pod.
  const child = spawn('/bin/sh', [entryPoint, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const signalAll = (signal: NodeJS.Signals) => {
    if (isRunning() && child.pid !== undefined) process.kill(-child.pid, signal);
  };
  const pid = () => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
    const found = children.find((one) => readFileSync(`/proc/${one}/comm`, 'utf8').trim() === 'anvil');
    return Number(found);
  };
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (signal === 'SIGKILL') signalAll(signal);
    else if (isRunning()) child.kill(signal);
    await ended;
  };
  const stop = async () => {
    await end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  const restart = async () => {
    await end('SIGTERM');
    return run(folder, args, options);
  };
  const crash = async (betweenRuns = () => {}) => {
    await end('SIGKILL');
    betweenRuns();
    return run(folder, args, options);
  };
  try {
    const url = `http://${await listeningAddress(child)}`;
    return {
      url,
      data,
      snapshotFolder: join(folder, 'snapshot'),
      restart,
      crash,
      stop,
      signal: signalAll,
      onLine: (take) => void createInterface(child.stdout).on('line', take),
      pid,
    };
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

/** The result of a JSON-RPC call; rejects with the engine's error. */
export async function callRpc(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
