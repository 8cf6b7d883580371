import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Wallet } from 'ethers';
import { closeWorld, openWorld, type World } from '../../contract/world.ts';
import { ask, successBody } from '../../lib/accounts.ts';
import { getJson, runProgram } from '../../lib/cluster.ts';
import { freshName, serviceUrl, until } from '../../lib/service.ts';
import type { Attack, Fire } from './attacker.ts';

const attacker = join(import.meta.dirname, 'attacker.ts');

/** A workspace with its own owner, key and network. */
export interface Tenant extends World {
  network: string;
  publicUrl: string;
}

export async function openTenant(): Promise<Tenant> {
  const world = await openWorld();
  const data = randomBytes(32).toString('base64');
  await successBody(ask(world.key, 'POST', '/v1alpha/secrets', { name: 'key', type: 'private-key', data }));
  const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' } } } };
  const { id } = await successBody(ask(world.key, 'POST', '/v1alpha/networks', { name: 'chain', spec }));
  await until(
    'the network to be Operational',
    () => successBody(ask(world.key, 'GET', `/v1alpha/networks/${id}`)),
    ({ status }) => status?.state === 'Operational',
  );
  const { map } = await successBody(ask(world.key, 'GET', `/v1alpha/networks/${id}/endpoints`));
  return { ...world, network: id, publicUrl: map.rpc };
}

export const closeTenant = (tenant: Tenant): Promise<void> => closeWorld(tenant);

/** How hard each of the two attackers tries. */
export type Force = Pick<Attack, 'connections' | 'requestsPerSecond' | 'seconds'>;

/** How many cheap calls there are for one of each other. */
const cheapCalls = 40;
const repeated = <T>(one: T): T[] => Array.from({ length: cheapCalls }, () => one);
const json = { 'Content-Type': 'application/json' };
const call = (method: string, params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** The key of a developer: reads, writes of 48 KiB, transactions that are prepared and refused, calls of the chain. */
export async function attackByKey(tenant: Tenant, force: Force): Promise<Attack> {
  const path = `/workspaces/${tenant.workspace}/api-keys`;
  const name = freshName('attacker');
  const { token } = await successBody(ask(tenant.key, 'POST', path, { name, role: 'developer' }));
  const chain = `/v1alpha/networks/${tenant.network}/chain`;
  const secret = { name: `${name}-{n}`, type: 'note', data: Buffer.alloc(48_000).toString('base64') };
  const transfer = { from: tenant.address, to: endless, value: '0' };
  const submission = { transactions_by_network: { [tenant.network]: [transfer] } };
  return {
    ...force,
    origin: serviceUrl,
    headers: { ...json, Authorization: `Bearer ${token}` },
    requests: [
      ...repeated({ method: 'GET' as const, path: '/v1alpha/networks?limit=500' }),
      { method: 'POST' as const, path: '/v1alpha/secrets', body: JSON.stringify(secret) },
      { method: 'POST', path: '/transaction/v1alpha1/transaction/submit', body: JSON.stringify(submission) },
      { method: 'POST', path: chain, body: JSON.stringify({ reads: [endlessCall] }) },
      { method: 'GET', path: `/v1alpha/networks/${tenant.network}/logs` },
    ],
  };
}

const endless = `0x${'00'.repeat(18)}e11e`;
/** `JUMPDEST PUSH0 JUMP` */
const endlessCall = {
  method: 'eth_call',
  params: [{ to: endless }, 'latest', { [endless]: { code: '0x5b5f56' } }],
};

/** The public URL of a network: calls that compute, long reads, and transactions that grow the chain. */
export async function attackByUrl(tenant: Tenant, force: Force): Promise<Attack> {
  const { origin, pathname: path } = new URL(tenant.publicUrl);
  const signed = await growingTransactions(tenant);
  const bodies = signed.flatMap((transaction) => [
    ...repeated(call('eth_blockNumber', [])),
    call(endlessCall.method, endlessCall.params),
    call('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest' }]),
    call('debug_traceCall', [...endlessCall.params.slice(0, 2), { stateOverrides: endlessCall.params[2] }]),
    call('eth_sendRawTransaction', [transaction]),
  ]);
  return {
    ...force,
    origin,
    headers: json,
    requests: bodies.map((body) => ({ method: 'POST', path, body })),
  };
}

const transactions = 100;

/** Signed transactions with 48 KiB of data each. */
async function growingTransactions({ key, network, publicUrl }: Tenant): Promise<string[]> {
  const wallet = Wallet.createRandom();
  const amount = (10n ** 18n).toString();
  await successBody(
    ask(key, 'POST', `/v1alpha/networks/${network}/faucet`, { address: wallet.address, amount }),
  );
  const answer = await fetch(publicUrl, { method: 'POST', headers: json, body: call('eth_chainId', []) });
  const { result: chainId } = (await answer.json()) as { result: string };
  const common = {
    chainId: BigInt(chainId),
    to: endless,
    gasLimit: 2_000_000n,
    gasPrice: 10n ** 10n,
    type: 0,
  };
  const data = `0x${'ab'.repeat(48 * 1024)}`;
  return Promise.all(
    Array.from({ length: transactions }, (_, nonce) => wallet.signTransaction({ ...common, data, nonce })),
  );
}

/**
 * Carries out an attack in a process of its own: the tests have others to ask meanwhile. It is in a session of its own, whose share
 * of the processors Linux does not take from the tests.
 */
export async function carryOut(what: Attack): Promise<Fire> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-attack-'));
  const file = join(folder, 'attack.json');
  writeFileSync(file, JSON.stringify(what));
  try {
    const child = spawn(process.execPath, ['--no-warnings', attacker, file], { detached: true });
    child.stderr.pipe(process.stderr);
    return JSON.parse(await text(child.stdout)) as Fire;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long a tenant waits for answers, in milliseconds. */
export interface Delays {
  count: number;
  median: number;
  p99: number;
}

const pauseMs = 20;

/** Works as a tenant does, over REST and at the public URL, until `work` ends. Fails if a call is not answered with a success. */
export async function delaysBeside(tenant: Tenant, work: Promise<unknown>): Promise<Delays> {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const asks = [
    () => fetch(`${serviceUrl}/v1alpha/networks/${tenant.network}`, { headers }),
    () => fetch(tenant.publicUrl, { method: 'POST', headers: json, body: call('eth_blockNumber', []) }),
  ];
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  const delays: number[] = [];
  for (let n = 0; !isOver; n += 1) {
    const startMs = performance.now();
    const answer = await asks[n % asks.length]?.();
    const text = await answer?.text();
    if (answer?.status !== 200) throw new Error(`the other tenant was answered ${answer?.status}: ${text}`);
    delays.push(performance.now() - startMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await end;
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
  return { count: sorted.length, median: at(0.5), p99: at(0.99) };
}

/** The size of etcd's database in bytes, as kube-apiserver knows it. */
export async function etcdBytes(): Promise<number> {
  const { stdout } = await runProgram('kubectl', ['get', '--raw', '/metrics']);
  const sizes = stdout.matchAll(/^apiserver_storage_size_bytes\{[^}]*\} (\S+)$/gm);
  return Math.max(...Array.from(sizes, ([, bytes]) => Number(bytes)));
}

interface PodStats {
  podRef: { name: string; namespace: string };
  'ephemeral-storage'?: { usedBytes?: number };
}

/** What the pods of a tenant have on the disks of their nodes, in bytes. */
export async function diskBytes({ namespace }: Tenant): Promise<number> {
  const { items } = await getJson('nodes');
  let sum = 0;
  for (const { metadata } of items) {
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary`;
    const { stdout } = await runProgram('kubectl', ['get', '--raw', path]);
    for (const { podRef, ...stats } of (JSON.parse(stdout) as { pods: PodStats[] }).pods)
      if (podRef.namespace === namespace) sum += stats['ephemeral-storage']?.usedBytes ?? 0;
  }
  return sum;
}
