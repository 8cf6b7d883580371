import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type OpenClient, openRaw, openUndici } from './gateway/clients.ts';
import { type LoadResult, medianOf, runLoad } from './gateway/load.ts';
import { round, writeReport } from './lib/report.ts';

/**
 * Calls per second and latency through the gateway, compared with direct calls to the node: one anvil, one gateway and
 * the same client in a third process, in alternating rounds. `ROUNDS` and `SECONDS` set the length. With `NODE_URL` and
 * `GATEWAY_URL` it measures a pod and the endpoint of an installed network instead.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const durationMs = Number(process.env.SECONDS ?? 2) * 1000;
const aim = 0.7;
const root = join(import.meta.dirname, '..');
const children: ChildProcess[] = [];
const sender = '0x00000000000000000000000000000000000000aa';

const rpc = (method: string, params: unknown[] = []) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const bodies = {
  // The node answers from memory, so this measures only the round trip.
  blockNumber: rpc('eth_blockNumber'),
  // Calls the SHA-256 precompile.
  call: rpc('eth_call', [{ to: `0x${'2'.padStart(40, '0')}`, data: `0x${'ab'.repeat(256)}` }, 'latest']),
  block: rpc('eth_getBlockByNumber', ['latest', true]),
  // Each transaction is mined into its own block.
  transaction: rpc('eth_sendTransaction', [{ from: sender, to: sender, value: '0x1' }]),
};

interface Case {
  name: string;
  body: string;
  connections: number;
  open: OpenClient;
}

const cases: Case[] = [
  { name: 'blockNumber, bare sockets', body: bodies.blockNumber, connections: 1, open: openRaw },
  { name: 'blockNumber, bare sockets', body: bodies.blockNumber, connections: 16, open: openRaw },
  { name: 'blockNumber, bare sockets', body: bodies.blockNumber, connections: 64, open: openRaw },
  { name: 'blockNumber, undici', body: bodies.blockNumber, connections: 16, open: openUndici },
  { name: 'call, undici', body: bodies.call, connections: 16, open: openUndici },
  { name: 'block, undici', body: bodies.block, connections: 16, open: openUndici },
  { name: 'transaction, undici', body: bodies.transaction, connections: 16, open: openUndici },
];

/** Starts a process and returns the first capture group of the first output that matches. */
function start(command: string, args: string[], pattern: RegExp): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: root });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${command} exited with code ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      const match = pattern.exec(chunk.toString());
      if (match) resolve(match[1] ?? '');
    });
  });
}

async function startBoth(): Promise<{ direct: string; through: string }> {
  const { NODE_URL: direct, GATEWAY_URL: through } = process.env;
  if (direct && through) return { direct, through };
  const address = await start(
    'node_modules/.bin/anvil',
    ['--port', '0', '--accounts', '0'],
    /Listening on (\S+)/,
  );
  const url = `http://${address}/`;
  for (const body of [
    rpc('anvil_setBalance', [sender, `0x${'f'.repeat(30)}`]),
    rpc('anvil_impersonateAccount', [sender]),
  ]) {
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
  const port = address.split(':')[1] ?? '';
  return {
    direct: url,
    through: await start(process.execPath, ['bench/gateway/serve.ts', port], /(http:\S+)/),
  };
}

async function compare(urls: { direct: string; through: string }, { name, ...load }: Case) {
  const direct: LoadResult[] = [];
  const gateway: LoadResult[] = [];
  for (let i = 0; i < rounds; i++) {
    direct.push(await runLoad({ ...load, durationMs, url: urls.direct }));
    gateway.push(await runLoad({ ...load, durationMs, url: urls.through }));
  }
  const [a, b] = [medianOf(direct), medianOf(gateway)];
  const ratio = round(b.callsPerSecond / a.callsPerSecond);
  const text = (result: LoadResult) =>
    `${result.callsPerSecond}/s, p50 ${result.p50Ms} ms, p99 ${result.p99Ms} ms`;
  console.log(`${name}, ${load.connections} connections: ratio ${ratio}`);
  console.log(`  direct  ${text(a)}\n  gateway ${text(b)}`);
  return { name, connections: load.connections, direct: a, gateway: b, ratio };
}

try {
  const urls = await startBoth();
  for (const url of Object.values(urls)) {
    await runLoad({ url, body: bodies.blockNumber, connections: 16, durationMs: 3000, open: openRaw });
  }
  const rows = [];
  for (const one of cases) rows.push(await compare(urls, one));
  writeReport('gateway', { aim, rounds, seconds: durationMs / 1000, rows });
} finally {
  for (const child of children) child.kill('SIGTERM');
}
