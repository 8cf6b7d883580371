import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isBuilt, toolPath } from '../../../../hack/tools/build.ts';
import { freePort } from '../../../lib/testing/freePort.ts';
import { forkUrlVariable, type PlanInput } from '../../driver.ts';
import { planContext } from '../../testing/planContext.ts';
import { solana } from '../driver.ts';

/** Why the light node cannot run here; undefined if it can. */
export const solanaDevSkipReason = isBuilt('solana-dev')
  ? undefined
  : 'skipped: run `make engines ENGINES=solana-dev`';

export interface RunningSolanaDev {
  url: string;
  /** Where it takes subscriptions. */
  socketUrl: string;
  /** Where it keeps the chain. */
  data: string;
  /** Stops it like a Restart, and starts it again on the same chain. */
  restart(): Promise<RunningSolanaDev>;
  /** Kills it without warning, and starts it again on the same data. */
  crash(): Promise<RunningSolanaDev>;
  stop(): Promise<void>;
}

/** Runs the light node with the arguments of its plan, in a temporary folder and on free local ports. */
export async function startSolanaDev(
  input: Partial<PlanInput> = {},
  forkUrl = '',
): Promise<RunningSolanaDev> {
  const [part] = solana.plan({
    chain: { type: 'Solana' },
    chainId: 'solana-test',
    mnemonicAddresses: [],
    ...planContext,
    ...input,
  }).parts;
  const [rpc, ws] = [await freePort(), await freePort()];
  const data = mkdtempSync(join(tmpdir(), 'slipway-solana-'));
  const replacements: Record<string, string> = {
    '0.0.0.0': '127.0.0.1',
    '/data': data,
    [String(part?.ports.rpc)]: String(rpc),
    [String(part?.ports.ws)]: String(ws),
    [`$(${forkUrlVariable})`]: forkUrl,
  };
  const args = part?.args.map((arg) => replacements[arg] ?? arg) ?? [];
  return run(args, { url: `http://127.0.0.1:${rpc}`, socketUrl: `ws://127.0.0.1:${ws}`, data });
}

async function run(
  args: string[],
  place: Pick<RunningSolanaDev, 'url' | 'socketUrl' | 'data'>,
): Promise<RunningSolanaDev> {
  const child = spawn(toolPath('solana-dev'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await ended;
  };
  const again = (signal: 'SIGTERM' | 'SIGKILL') => async () => {
    await end(signal);
    return run(args, place);
  };
  const stop = async () => {
    await end('SIGKILL');
    rmSync(place.data, { recursive: true, force: true });
  };
  try {
    await saysReady(child);
    return { ...place, restart: again('SIGTERM'), crash: again('SIGKILL'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves when it serves; rejects with its output when it exits before. */
function saysReady(child: ReturnType<typeof spawn> & { stdout: Readable; stderr: Readable }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4096);
      if (/^ready$/m.test(output)) resolve();
    });
  }
  child.once('error', reject);
  child.once('close', (code) => reject(new Error(`solana-dev exited with ${code}: ${output}`)));
  return promise;
}

/** The result of a JSON-RPC call; rejects with the node's error. */
export async function callSolana(
  { url }: Pick<RunningSolanaDev, 'url'>,
  method: string,
  ...params: unknown[]
): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: object };
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

export async function balanceOf(node: RunningSolanaDev, address: string): Promise<unknown> {
  const answer = await callSolana(node, 'getBalance', address, { commitment: 'confirmed' });
  return (answer as { value: unknown }).value;
}
