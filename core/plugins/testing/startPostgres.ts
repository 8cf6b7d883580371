import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilPostgresServes } from '../../../engines/graph/src/postgres.ts';
import { run } from '../../../hack/lib/run.ts';
import { isBuilt, toolPath } from '../../../hack/tools/build.ts';
import { freePort } from '../../lib/testing/freePort.ts';
import type { PluginPart } from '../plugin.ts';
import { postgresAccess } from '../postgres.ts';

/** Why Postgres cannot run here; undefined if it can. */
export const postgresSkipReason = isBuilt('postgres.tar')
  ? undefined
  : 'skipped: run `make engines ENGINES=postgres`';

export interface RunningPostgres {
  port: number;
  /** Kills all its processes without warning, and starts it again on the same data. */
  crash(): Promise<RunningPostgres>;
  stop(): Promise<void>;
}

/** Postgres refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

interface Place {
  folder: string;
  port: number;
  part: PluginPart;
}

/** Runs a `postgresPart` with the files of its image, in a temporary folder and on a free local port. */
export async function startPostgres(part: PluginPart, password: string): Promise<RunningPostgres> {
  const place = await preparePostgres(part, password);
  return runPostgres(place);
}

/** A folder with the image's files, the part's script and an empty volume. */
export async function preparePostgres(part: PluginPart, password: string): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-postgres-'));
  const port = await freePort();
  await run('tar', ['-xf', toolPath('postgres.tar'), '-C', folder]);
  const replacements = {
    '/data/': `${folder}/data/`,
    '/etc/slipway/': `${folder}/etc/`,
    '5432': String(port),
  };
  const script = Object.values(part.files)[0] ?? '';
  mkdirSync(join(folder, 'data'));
  mkdirSync(join(folder, 'etc'));
  const local = Object.entries(replacements).reduce((text, [from, to]) => text.replaceAll(from, to), script);
  writeFileSync(join(folder, 'etc', 'postgres.sh'), local);
  writeFileSync(join(folder, 'etc', 'postgres-password'), password);
  const { uid, gid } = nobody;
  if (uid !== undefined && gid !== undefined) {
    for (const path of [folder, join(folder, 'data')]) chownSync(path, uid, gid);
  }
  return { folder, port, part };
}

/** Starts the script without waiting until Postgres serves. */
export function spawnPostgres({ folder, part }: Place) {
  const triplet = process.arch === 'x64' ? 'x86_64-linux-gnu' : 'aarch64-linux-gnu';
  const env = {
    PATH: `${join(folder, 'usr/lib/postgresql/15/bin')}:/usr/bin:/bin`,
    LD_LIBRARY_PATH: join(folder, 'usr/lib', triplet),
    HOME: folder,
  };
  // A process group of its own, so that a kill reaches all of it, as in a pod.
  const child = spawn('/bin/sh', [join(folder, 'etc', 'postgres.sh'), ...part.args], {
    ...nobody,
    env,
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-4096);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid)
      process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  return { kill, ended, output: () => output };
}

/** Runs it in a folder that `preparePostgres` made. Rejects with its output when it ends before it serves. */
export async function runPostgres(place: Place): Promise<RunningPostgres> {
  const { kill, ended, output } = spawnPostgres(place);
  const { port, folder } = place;
  const [name = ''] = place.part.args;
  const stopped = new AbortController();
  void ended.then(() => stopped.abort(new Error(`Postgres ended: ${output()}`)));
  await untilPostgresServes({ host: '127.0.0.1', port, user: postgresAccess.user, name }, stopped.signal);
  return {
    port,
    async crash() {
      await kill();
      return runPostgres(place);
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
