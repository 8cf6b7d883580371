import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { planContext } from '../testing/planContext.ts';
import { evmDrivers } from './drivers.ts';
import { asOwnCalls, batchLine, probeLine } from './ownCalls.ts';
import { callRpc, type RunningAnvil, startAnvil } from './testing/startAnvil.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'engines', 'evm-dev', 'alive.sh');
const [part] = evmDrivers.Ethereum.plan({
  chain: { type: 'Ethereum' },
  chainId: '1100000001',
  mnemonicAddresses: [],
  ...planContext,
}).parts;

let folder: string;
let chain: RunningAnvil;
beforeEach(async () => {
  if (!part) throw new Error('Ethereum has no engine');
  folder = mkdtempSync(join(tmpdir(), 'slipway-alive-'));
  chain = await startAnvil(part);
  // A pod has no other processes.
  symlinkSync(`/proc/${chain.pid()}`, join(folder, String(chain.pid())));
});
afterEach(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the check of a pod. Returns its exit code and what it leaves for the kubelet. */
async function check(timeout = 8): Promise<{ code: number; report: string }> {
  const report = join(folder, 'report');
  const env = { PATH: '/usr/bin:/bin', REPORT: report, PROC: folder, TIMEOUT: String(timeout) };
  const { promise, resolve } = Promise.withResolvers<number>();
  const child = execFile('/bin/bash', [script, new URL(chain.url).port], { env });
  child.once('close', (code) => resolve(code ?? -1));
  const code = await promise;
  return { code, report: read(report) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const alive = { code: 0, report: '' };
const hung = { code: 1, report: 'liveness: no answer' };

it('the part names the check of the image, for the port that it serves', () => {
  expect(part?.aliveCommand).toEqual(['/bin/bash', '/usr/local/bin/alive.sh', String(part?.ports.rpc)]);
});

it('a node that answers is alive', async () => {
  expect(await check()).toEqual(alive);
});

it('each check is one line in the log, which readers of the log leave out', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const lines: string[] = [];
  chain.onLine((line) => {
    if (line === 'web3_clientVersion') resolve(lines.join('\n'));
    lines.push(line);
  });
  expect(await check()).toEqual(alive);
  expect(await check()).toEqual(alive);
  await callRpc(chain.url, 'web3_clientVersion');
  expect(await promise).toBe([probeLine, probeLine].join('\n'));
});

it('a batch of reads is in the log between the lines that mark it', async () => {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const lines: string[] = [];
  chain.onLine((line) => {
    if (line === 'web3_clientVersion') resolve([...lines]);
    lines.push(line);
  });
  const batch = asOwnCalls(async (calls): Promise<unknown[]> => {
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(chain.url, { method: 'POST', headers, body });
    return answer.json() as Promise<unknown[]>;
  });
  const reads = ['eth_getBlockByNumber', 'eth_getBlockReceipts'];
  const answers = await batch([
    { method: 'eth_getBlockByNumber', params: ['latest', true] },
    { method: 'eth_getBlockReceipts', params: ['latest'] },
  ]);
  expect(answers).toMatchObject([{ result: { number: '0x0' } }, { result: [] }]);
  await callRpc(chain.url, 'web3_clientVersion');
  expect(await promise).toEqual([batchLine, batchLine, ...reads, batchLine]);
});

it('a node whose process stands still is not, until it goes on', async () => {
  chain.signal('SIGSTOP');
  expect(await check(1)).toEqual(hung);
  chain.signal('SIGCONT');
  expect(await check()).toEqual(alive);
});

it('a node that waits for its own locks is not', async () => {
  await deadlock();
  expect(await check(1)).toEqual(hung);
});

it('a node that does not listen is starting or has ended, and so not hung', async () => {
  await chain.stop();
  expect(await check(1)).toEqual(alive);
});

it('a node that computes is alive, also while it answers nobody', async () => {
  // JUMPDEST; PUSH1 0; JUMP
  const address = `0x${'a5'.repeat(20)}`;
  await callRpc(chain.url, 'anvil_setCode', address, '0x5b600056');
  const endless = { to: address, gas: '0x7fffffffffffffff' };
  const stop = new AbortController();
  // Traces take the threads that answer.
  const busy = Array.from({ length: availableParallelism() * 2 }, () =>
    call('debug_traceCall', [endless, 'latest', { tracer: 'callTracer' }], stop.signal).catch(
      () => undefined,
    ),
  );
  while (await answers()) await new Promise(setImmediate);
  for (let times = 0; times < 3; times += 1) expect(await check(1)).toEqual(alive);
  stop.abort();
  await Promise.all(busy);
});

const answers = (): Promise<boolean> =>
  call('eth_blockNumber', [], AbortSignal.timeout(500)).then(
    () => true,
    () => false,
  );

async function call(method: string, params: unknown[], signal: AbortSignal): Promise<void> {
  const answer = await fetch(chain.url, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  await answer.arrayBuffer();
}

/** Two of anvil's locks, taken in opposite orders: why nothing of ours asks for `anvil_nodeInfo`. */
async function deadlock(): Promise<void> {
  const batch = async (method: string, size: number) => {
    const calls = Array.from({ length: size }, () => ({ jsonrpc: '2.0', id: 1, method, params: [] }));
    const answer = await fetch(chain.url, {
      method: 'POST',
      signal: AbortSignal.timeout(3000),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    });
    await answer.arrayBuffer();
  };
  const repeat = async (method: string, size: number) => {
    for (;;) await batch(method, size);
  };
  const loops = [repeat('anvil_nodeInfo', 20), repeat('anvil_nodeInfo', 20), repeat('evm_mine', 5)];
  await Promise.allSettled(loops);
}
