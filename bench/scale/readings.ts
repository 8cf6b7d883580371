import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bed } from '../lib/bed.ts';
import { percentile, round } from '../lib/report.ts';
import type { ServiceProcess } from '../lib/service.ts';
import type { StillChain } from './chain.ts';

/** A process whose heap can be read. */
export interface Measured extends ServiceProcess {
  heapFile: string;
}

/** What etcd's database holds after its history is dropped, as kube-apiserver does every five minutes. */
export async function storedMiB({ etcdUrl, etcdMiB }: Bed): Promise<number> {
  const ask = async (path: string, body: object) => {
    const answer = await fetch(`${etcdUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd: ${path}: ${await answer.text()}`);
    return (await answer.json()) as { header: { revision: string } };
  };
  const { header } = await ask('/v3/maintenance/status', {});
  await ask('/v3/kv/compaction', { revision: header.revision, physical: true });
  return etcdMiB();
}

const preload = join(import.meta.dirname, 'heap.ts');

export async function startMeasured(
  bed: Bed,
  name: 'apiserver' | 'operator',
  folder: string,
  env: Record<string, string> = {},
): Promise<Measured> {
  const heapFile = join(folder, `${name}-heap`);
  const nodeArgs = ['--expose-gc', '--import', preload];
  const started = await bed.start(name, { nodeArgs, env: { ...env, HEAP_FILE: heapFile } });
  return { ...started, heapFile };
}

/** What a process has in its heap after a collection of garbage. */
export async function heapBytes({ pid, heapFile }: Measured): Promise<number> {
  rmSync(heapFile, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(heapFile) || readFileSync(heapFile, 'utf8') === '') await delay(100);
  return Number(readFileSync(heapFile, 'utf8'));
}

/** Resolves once no network waits to be reconciled, twice in a row. */
export async function allReconciled({ metrics }: ServiceProcess, count: number): Promise<void> {
  const done = /^slipway_reconciles_total\{controller="network",outcome="(?!error)\w*"\} (\d+)/gm;
  const depth = /^slipway_workqueue_depth\{controller="network"\} (\d+)/m;
  for (let quiet = 0; quiet < 2; ) {
    const text = await metrics();
    const reconciles = [...text.matchAll(done)].reduce((sum, [, value]) => sum + Number(value), 0);
    const isQuiet = reconciles >= count && Number(depth.exec(text)?.[1] ?? 0) === 0;
    quiet = isQuiet ? quiet + 1 : 0;
    await delay(100);
  }
}

/** Resolves once a process has asked kube-apiserver nothing for three seconds. */
export async function quietFor3s({ requests }: ServiceProcess): Promise<void> {
  let before = Number.NaN;
  for (let quiet = 0; quiet < 3; ) {
    const sum = Object.values(await requests()).reduce((total, count) => total + count, 0);
    quiet = sum === before ? quiet + 1 : 0;
    before = sum;
    await delay(1_000);
  }
}

/** Milliseconds of `count` calls, one after the other. */
export async function latencies(url: string, token: string, count: number) {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const startMs = performance.now();
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    times.push(performance.now() - startMs);
  }
  return summary(times);
}

export const summary = (times: readonly number[]) => ({
  p50Ms: round(percentile(times, 0.5)),
  p99Ms: round(percentile(times, 0.99)),
});

interface Watched {
  operator: Measured;
  apiserver: Measured;
  chain: StillChain;
}

/** What everything does while nothing happens. */
export async function watchIdle({ operator, apiserver, chain }: Watched, seconds: number) {
  const read = async () => ({
    operator: operator.usage().cpuSeconds,
    apiserver: apiserver.usage().cpuSeconds,
    toKube: { operator: await operator.requests(), apiserver: await apiserver.requests() },
    toNodes: chain.calls(),
  });
  const before = await read();
  await delay(seconds * 1_000);
  const after = await read();
  const perMinute = (value: number) => round((value * 60) / seconds, 1);
  const calls = (name: 'operator' | 'apiserver') =>
    Object.fromEntries(
      Object.entries(after.toKube[name])
        .map(([verb, value]) => [verb, perMinute(value - (before.toKube[name][verb] ?? 0))] as const)
        .filter(([, value]) => value > 0),
    );
  return {
    cpuPercent: {
      operator: round(((after.operator - before.operator) * 100) / seconds),
      apiserver: round(((after.apiserver - before.apiserver) * 100) / seconds),
    },
    perMinute: {
      toKube: { operator: calls('operator'), apiserver: calls('apiserver') },
      toNodes: perMinute(after.toNodes - before.toNodes),
    },
    sockets: chain.sockets(),
  };
}
