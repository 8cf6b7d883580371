import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeBootSubgraph } from './boot.ts';
import { ipfsRpc } from './ipfsRpc.ts';
import { untilPostgresIsGone, untilPostgresServes } from './postgres.ts';
import { openStore } from './store.ts';

const text = { type: 'string' } as const;
const { values: given } = parseArgs({
  options: {
    data: { ...text, default: '/data' },
    'postgres-host': text,
    'postgres-port': { ...text, default: '5432' },
    'postgres-user': text,
    'postgres-database': text,
    'postgres-password-file': text,
    network: text,
    rpc: text,
    'http-port': { ...text, default: '8000' },
    'admin-port': { ...text, default: '8020' },
    'status-port': { ...text, default: '8030' },
    'metrics-port': { ...text, default: '8040' },
    'ipfs-port': { ...text, default: '5001' },
    'max-files': { ...text, default: '20000' },
    'max-bytes': { ...text, default: String(256 * 1024 * 1024) },
  },
});

function required(name: 'postgres-host' | 'postgres-user' | 'postgres-database' | 'network' | 'rpc'): string {
  const value = given[name];
  if (value === undefined) throw new Error(`--${name} is required`);
  return value;
}

const database = {
  host: required('postgres-host'),
  port: Number(given['postgres-port']),
  user: required('postgres-user'),
  name: required('postgres-database'),
};

/** In the environment, where gnd reads it, and never among the arguments. */
function postgresUrl(): string {
  const password = readFileSync(given['postgres-password-file'] ?? '', 'utf8').trim();
  const { host, port, user, name } = database;
  return `postgresql://${user}:${password}@${host}:${port}/${name}`;
}

/** Runs gnd in the folder of the store: it looks up /ipfs/CID as a file there. Ends this process when gnd ends. */
function startGnd(folder: string): void {
  const args = [
    ...['dev', '--manifests', writeBootSubgraph(folder, required('network'))],
    ...['--ethereum-rpc', `${required('network')}:${required('rpc')}`],
    ...['--ipfs', `http://127.0.0.1:${given['ipfs-port']}`],
    ...['--http-port', given['http-port'], '--admin-port', given['admin-port']],
    ...['--index-node-port', given['status-port'], '--metrics-port', given['metrics-port']],
  ];
  const env = { GRAPH_LOG: 'warn', ...process.env, POSTGRES_URL: postgresUrl() };
  const gnd = spawn('gnd', args, { cwd: folder, env, stdio: 'inherit' });
  gnd.once('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  gnd.once('exit', (code) => process.exit(code ?? 1));
  onStop(() => {
    // It does not end by SIGTERM, and its state is in Postgres.
    gnd.removeAllListeners('exit').once('exit', () => process.exit(0));
    gnd.kill('SIGKILL');
  });
}

/** Replaces what is done when the pod is stopped. */
function onStop(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeAllListeners(signal).on(signal, stop);
}

/** Serves the IPFS RPC, waits for Postgres and runs graph-node. */
async function main(): Promise<void> {
  onStop(() => process.exit(0));
  const folder = join(given.data, 'ipfs');
  const budgets = { files: Number(given['max-files']), bytes: Number(given['max-bytes']) };
  const server = createServer(ipfsRpc(openStore(folder, budgets)));
  await new Promise<void>((resolve) => void server.listen(Number(given['ipfs-port']), resolve));
  await untilPostgresServes(database);
  startGnd(folder);
  await untilPostgresIsGone(database);
  console.error('Postgres is gone: graph-node starts again when it is back');
  process.kill(process.pid, 'SIGTERM');
}

await main();
