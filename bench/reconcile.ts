import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { apiVersion } from '../core/api/names.ts';
import type { NetworkResource } from '../core/api/resources/network.ts';
import { networkType, secretType } from '../core/api/resources/resources.ts';
import { inParallel } from '../core/lib/work/inParallel.ts';
import { type Bed, buildService, startBed } from './lib/bed.ts';
import { aNetwork } from './lib/networks.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import type { ServiceProcess } from './lib/service.ts';
import { loadNow } from './lib/usage.ts';
import { startBareLoop } from './reconcile/bare.ts';
import { readFamilies } from './reconcile/children.ts';
import { followProgress } from './reconcile/follow.ts';
import { startNodes } from './reconcile/nodes.ts';

/**
 * Reconciliation of 1,000 networks that exist when the operator becomes leader, until the last one is Operational,
 * compared with a bare loop that creates the same ConfigMaps, Services and pods with as many clients, until the last
 * pod is ready. Each run uses a fresh kube-apiserver with kube-scheduler and kwok nodes; the sides alternate. `COUNT`,
 * `ROUNDS` and `WORKERS` set the size, `IDLE_SECONDS` sets how long both processes are then observed while idle, and
 * `NODE_ARGS` is passed to the operator's Node, for example `--cpu-prof --cpu-prof-dir=/tmp/profiles`.
 */
const count = Number(process.env.COUNT ?? 1_000);
const rounds = Number(process.env.ROUNDS ?? 3);
const workers = Number(process.env.WORKERS ?? 16);
const idleSeconds = Number(process.env.IDLE_SECONDS ?? 30);
const nodeArgs = process.env.NODE_ARGS?.split(' ') ?? [];
const aim = 0.8;
const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
const familiesFile = join(folder, 'families.json');

interface Run {
  /** Networks per second until the last pod was created. */
  created: number;
  /** Networks per second until the last network was Operational or the last pod was ready. */
  ready: number;
  cpuSeconds: number;
  peakRssMiB: number;
  /** CPU time of kube-apiserver during the run. */
  kubeCpuSeconds: number;
}

interface Outcome {
  run: Run;
  /** Requests to kube-apiserver, by verb. */
  requests: Record<string, number>;
  idle: Idle | undefined;
}

type Idle = Record<'operator' | 'apiserver', { cpuPercent: number; rssMiB: number; peakRssMiB: number }>;

async function onFreshBed<T>(work: (bed: Bed) => Promise<T>): Promise<T> {
  const bed = await startBed();
  const stopNodes = await startNodes(bed.kube, bed.kubeconfig);
  try {
    return await work(bed);
  } finally {
    await stopNodes();
    await bed.stop();
  }
}

async function createNetworks({ kube, namespace, sealer }: Bed): Promise<void> {
  const ref = { namespace, name: 'hot-key' };
  const data = sealer.seal(randomBytes(32), { ...ref, owner: '' });
  await kube.create(secretType, {
    apiVersion,
    kind: 'Secret',
    metadata: ref,
    spec: { type: 'private-key', data },
  });
  const numbers = Array.from({ length: count }, (_, index) => index);
  await inParallel(numbers, 32, (index) => {
    const network: NetworkResource = aNetwork(namespace, index);
    // Not persistent: volumes need a controller that is not running here.
    return kube.create(networkType, { ...network, spec: { chain: network.spec.chain } });
  });
}

async function runOperator(bed: Bed): Promise<Outcome> {
  await createNetworks(bed);
  const progress = await followProgress(bed, count);
  const kubeBefore = bed.kubeUsage().cpuSeconds;
  const operator = await bed.start('operator', { nodeArgs, env: { WORKERS: String(workers) } });
  await operator.logged('started leading');
  const startMs = performance.now();
  const [createdMs, readyMs] = await Promise.all([progress.podsCreated, progress.networksOperational]);
  const { cpuSeconds, peakRssMiB } = operator.usage();
  const run = {
    created: (count * 1000) / (createdMs - startMs),
    ready: (count * 1000) / (readyMs - startMs),
    cpuSeconds,
    peakRssMiB,
    kubeCpuSeconds: bed.kubeUsage().cpuSeconds - kubeBefore,
  };
  const requests = await operator.requests();
  await progress.stop();
  writeFileSync(familiesFile, JSON.stringify(await readFamilies(bed.kube, bed.namespace)));
  return { run, requests, idle: idleSeconds > 0 ? await watchIdle(bed, operator) : undefined };
}

/** The resource usage of both processes while all networks run and there are no requests. */
async function watchIdle(bed: Bed, operator: ServiceProcess): Promise<Idle> {
  const apiserver = await bed.start('apiserver');
  const settleMs = 10_000;
  await delay(settleMs);
  const before = { operator: operator.usage(), apiserver: apiserver.usage() };
  await delay(idleSeconds * 1000);
  const after = { operator: operator.usage(), apiserver: apiserver.usage() };
  const differenceOf = (name: keyof Idle) => ({
    cpuPercent: round(((after[name].cpuSeconds - before[name].cpuSeconds) * 100) / idleSeconds),
    rssMiB: after[name].rssMiB,
    peakRssMiB: after[name].peakRssMiB,
  });
  return { operator: differenceOf('operator'), apiserver: differenceOf('apiserver') };
}

async function runBare(bed: Bed): Promise<Run> {
  const progress = await followProgress(bed, count);
  const kubeBefore = bed.kubeUsage().cpuSeconds;
  const { started, usage } = startBareLoop(bed.kubeconfig, familiesFile, workers);
  await started;
  const startMs = performance.now();
  const [createdMs, readyMs] = await Promise.all([progress.podsCreated, progress.podsReady]);
  const { cpuSeconds, peakRssMiB } = await usage;
  await progress.stop();
  return {
    created: (count * 1000) / (createdMs - startMs),
    ready: (count * 1000) / (readyMs - startMs),
    cpuSeconds,
    peakRssMiB,
    kubeCpuSeconds: bed.kubeUsage().cpuSeconds - kubeBefore,
  };
}

function sumUp(runs: Run[]): Run {
  const middle = (pick: (run: Run) => number, digits: number) =>
    round(percentile(runs.map(pick), 0.5), digits);
  return {
    created: middle(({ created }) => created, 1),
    ready: middle(({ ready }) => ready, 1),
    cpuSeconds: middle(({ cpuSeconds }) => cpuSeconds, 2),
    peakRssMiB: middle(({ peakRssMiB }) => peakRssMiB, 0),
    kubeCpuSeconds: middle(({ kubeCpuSeconds }) => kubeCpuSeconds, 2),
  };
}

buildService();
const loadBefore = loadNow();
try {
  const operatorRuns: Run[] = [];
  const bareRuns: Run[] = [];
  let idle: Idle | undefined;
  let requests: Outcome['requests'] = {};
  for (let turn = 0; turn < rounds; turn += 1) {
    const outcome = await onFreshBed(runOperator);
    operatorRuns.push(outcome.run);
    idle ??= outcome.idle;
    ({ requests } = outcome);
    bareRuns.push(await onFreshBed(runBare));
    console.log(`${turn + 1}/${rounds}`, JSON.stringify({ operator: outcome.run, bare: bareRuns.at(-1) }));
  }
  const operator = sumUp(operatorRuns);
  const bare = sumUp(bareRuns);
  const ratio = round(operator.ready / bare.ready);
  const report = { aim, count, rounds, workers, loadBefore, ratio, operator, requests, bare, idle };
  console.log(JSON.stringify(report));
  writeReport('reconcile', report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
