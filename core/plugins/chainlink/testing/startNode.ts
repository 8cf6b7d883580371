import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isBuilt, toolPath } from '../../../../hack/tools/build.ts';
import { freePort } from '../../../lib/testing/freePort.ts';
import { kill } from '../../../lib/testing/kill.ts';
import type { PluginInput, PluginPart } from '../../plugin.ts';
import { chainlink } from '../plugin.ts';

const postgresFolder = '/usr/lib/postgresql/15/bin';

/** Why the node cannot run here; undefined if it can. */
export const chainlinkSkipReason = !isBuilt('chainlink')
  ? 'skipped: run `make engines ENGINES=chainlink`'
  : existsSync(join(postgresFolder, 'postgres'))
    ? undefined
    : 'skipped: Postgres 15 is not installed';

export interface RunningNode {
  url: string;
  program: string;
  /** Runs it again on the same database, as after the loss of its process. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs the plan's node and database as their pods would, in a temporary folder and on free local ports. */
export async function startNode(input: PluginInput<'chainlink'>): Promise<RunningNode> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-chainlink-'));
  chmodSync(folder, 0o755);
  const ports = { sql: await freePort(), http: await freePort() };
  const { parts, secrets = {} } = chainlink.plan({ ...input, hostOf: () => '127.0.0.1' });
  const place: Place = { folder, ports, secrets };
  const partOf = (name: string) => {
    const found = parts.find((part) => part.name === name);
    if (!found) throw new Error(`there is no part ${name}`);
    return found;
  };
  const program = toolPath('chainlink');
  const database = runPart(partOf('db'), place);
  const start = async () => {
    const part = partOf('node');
    for (const { name: _step, ...step } of part.init ?? []) await toEnd(runPart({ ...part, ...step }, place));
    const child = runPart(part, { ...place, program });
    await untilListening(ports.http, child);
    return child;
  };
  let node = await start();
  return {
    url: `http://127.0.0.1:${ports.http}`,
    program,
    async crash() {
      await kill(node);
      node = await start();
    },
    async stop() {
      await kill(node);
      await kill(database);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  folder: string;
  ports: { sql: number; http: number };
  secrets: Readonly<Record<string, string>>;
  /** Instead of the part's command. */
  program?: string;
}

/** A user that every system has: Postgres refuses to run as root, and as a user without a name. */
const nobody = 65_534;

function runPart(part: PluginPart, place: Place): ChildProcess {
  const folder = join(place.folder, part.name);
  mkdirSync(folder, { recursive: true });
  const texts: [path: string, text: string][] = [
    ...Object.entries(part.files),
    ...Object.entries(part.secretFiles ?? {}).map(([path, secret]): [string, string] => [
      path,
      place.secrets[secret] ?? '',
    ]),
  ];
  const replace = replacing([
    ...texts.map(([path]): [string, string] => [path, join(folder, basename(path))]),
    ...(part.dataPath ? [[part.dataPath, folder] as [string, string]] : []),
    ['/tmp/chainlink', join(folder, 'root')],
    ['5432', String(place.ports.sql)],
    ['6688', String(place.ports.http)],
    ["listen_addresses='*'", 'listen_addresses=127.0.0.1'],
  ]);
  for (const [path, text] of texts) writeFileSync(replace(path), replace(text));
  const isRoot = process.getuid?.() === 0;
  for (const path of [folder, ...texts.map(([path]) => replace(path))]) {
    if (isRoot) chownSync(path, nobody, nobody);
  }
  const [command = '', ...first] = place.program ? [place.program] : (part.command ?? []);
  const child = spawn(command, [...first, ...part.args].map(replace), {
    cwd: folder,
    env: { PATH: `${dirname(toolPath('chainlink'))}:${postgresFolder}:/usr/bin:/bin`, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The program is in the cache of the user who runs the tests.
    ...(isRoot && part.engine === 'postgres' ? { uid: nobody, gid: nobody } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-8192);
    });
  }
  outputs.set(child, () => output);
  return child;
}

const outputs = new WeakMap<ChildProcess, () => string>();

function replacing(pairs: [string, string][]): (text: string) => string {
  return (text) => pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/** Rejects with the program's output when it fails. */
async function toEnd(child: ChildProcess): Promise<void> {
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`a step exited with ${String(code)}: ${outputs.get(child)?.()}`);
}

/** Resolves when the port accepts connections; rejects with the program's output when it exits before. */
async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) {
      throw new Error(`a part exited with ${child.exitCode}: ${outputs.get(child)?.()}`);
    }
    if (await isListening(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
