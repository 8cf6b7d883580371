import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type OpenClient, openRaw, openUndici } from './gateway/clients.ts';
import { type CostCase, type CostRow, compareCosts, type Peer } from './gateway/cost.ts';
import { type Load, type LoadResult, medianOf, runLoad } from './gateway/load.ts';
import { nginx, nginxVersion, prepareNginx, processesOf } from './gateway/nginx.ts';
import { openSocket } from './gateway/sockets.ts';
import { factsNow } from './lib/facts.ts';
import { round, writeReport } from './lib/report.ts';

/**
 * What a call through the gateway costs: CPU time per call, compared with nginx in front of the same node and
 * with the least that a proxy in Node costs, and calls per second and latency, compared with direct calls to the node. One
 * anvil, the main server, an nginx with one worker, the floors and the client, each in a process of its own, in alternating
 * rounds. The CPU time is that of the processes (proc(5)), so what
 * else the machine does matters little. `ROUNDS` and `SECONDS` set the length; `ONLY=cost` leaves the latencies out.
 * With `NODE_URL` and `GATEWAY_URL` it measures the latencies of a pod and the endpoint of an installed network instead.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const durationMs = Number(process.env.SECONDS ?? 2) * 1000;
const aims = { costOfNginx: 0.5 };
const warmCalls = 30_000;
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

const costCases: CostCase[] = [1, 16, 64].flatMap((connections) => [
  { name: 'HTTP call', open: openRaw, connections, body: bodies.blockNumber },
  { name: 'WebSocket message', open: openSocket, connections, body: bodies.blockNumber },
]);

interface Started {
  child: ChildProcess;
  /** The first capture group of the first output that matches. */
  found: Promise<string>;
}

function start(command: string, args: string[], pattern: RegExp): Started {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: root });
  children.push(child);
  const found = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} exited with code ${code}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      const match = pattern.exec(chunk.toString());
      if (match) resolve(match[1] ?? '');
    });
  });
  return { child, found };
}

interface Bed {
  direct: string;
  through: string;
  /** The gateway, nginx, and what a proxy in Node costs at least. Absent on an installation. */
  proxies?: Peer[];
}

async function startAll(): Promise<Bed> {
  const { NODE_URL: direct, GATEWAY_URL: through } = process.env;
  if (direct && through) return { direct, through };
  const node = await start(
    'node_modules/.bin/anvil',
    ['--port', '0', '--accounts', '0'],
    /Listening on (\S+)/,
  ).found;
  const url = `http://${node}/`;
  for (const body of [
    rpc('anvil_setBalance', [sender, `0x${'f'.repeat(30)}`]),
    rpc('anvil_impersonateAccount', [sender]),
  ]) {
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
  const port = node.split(':')[1] ?? '';
  const gateway = await startScript('gateway', ['bench/gateway/serve.ts', port]);
  const floors = [
    await startScript('node http', ['bench/gateway/floor.ts', 'http', port]),
    await startScript('node bytes', ['bench/gateway/floor.ts', 'bytes', port]),
  ];
  const proxies = [gateway, await startNginx(node), ...floors];
  return { direct: url, through: gateway.url, proxies };
}

/** A proxy that Node runs, which prints its URL. `NODE_ARGS` are those of the gateway's Node, such as `--cpu-prof`. */
async function startScript(name: string, args: string[]): Promise<Peer> {
  const own = name === 'gateway' ? (process.env.NODE_ARGS?.split(' ') ?? []) : [];
  const { child, found } = start(process.execPath, [...own, ...args], /(http:\S+)/);
  return { name, url: await found, pids: [child.pid ?? 0] };
}

async function startNginx(node: string): Promise<Peer> {
  const { args, url } = await prepareNginx(node);
  const { child, found } = start(nginx, args, /^$/);
  const isUp = async () => (await fetch(url, { method: 'POST' }).catch(() => undefined)) !== undefined;
  while (!(await Promise.race([isUp(), found]))) await setTimeout(20);
  return { name: 'nginx', url, pids: processesOf(child.pid ?? 0) };
}

async function compare(urls: Bed, { name, ...load }: Case) {
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

/** By the number of calls: on a busy machine the code would not be compiled yet after a fixed time. */
async function warmUp(load: Load): Promise<void> {
  for (let calls = 0; calls < warmCalls; ) calls += (await runLoad(load)).calls;
}

async function measureCosts({ proxies }: Bed): Promise<CostRow[]> {
  if (!proxies) return [];
  const rows = [];
  for (const { url } of proxies) {
    for (const one of costCases.slice(2, 4)) await warmUp({ ...one, url, durationMs: 1000 });
  }
  for (const one of costCases) rows.push(await compareCosts(proxies, one, { rounds, durationMs }));
  return rows;
}

try {
  const version = process.env.GATEWAY_URL ? undefined : nginxVersion();
  const bed = await startAll();
  const facts = factsNow();
  const costs = await measureCosts(bed);
  const rows = [];
  for (const one of process.env.ONLY === 'cost' ? [] : cases) rows.push(await compare(bed, one));
  const report = { aims, rounds, seconds: durationMs / 1000, facts, nginx: version, costs, rows };
  writeReport('gateway', report);
} finally {
  for (const child of children) child.kill('SIGTERM');
}
