import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NetworkResource } from '../core/api/resources/network.ts';
import { networkType } from '../core/api/resources/resources.ts';
import { createReflector, type Reflector } from '../core/kube/cache/reflector.ts';
import { systemClock } from '../core/lib/clock.ts';
import { silentLog } from '../core/lib/log.ts';
import { type Bed, buildService, startBed } from './lib/bed.ts';
import { factsNow } from './lib/facts.ts';
import { round, writeReport } from './lib/report.ts';
import { startStillChain } from './scale/chain.ts';
import {
  createArchives,
  createKey,
  createNetworks,
  createRecordings,
  createWorkspaces,
} from './scale/fill.ts';
import { startStandIn } from './scale/kubelet.ts';
import { allReconciled, heapBytes, latencies, startMeasured, summary, watchIdle } from './scale/readings.ts';

/**
 * `node bench/scale.ts [--networks=1000,5000]`: that many networks, 100 workspaces, 50,000 archived transactions and 100
 * recordings, each size on an etcd and a kube-apiserver of its own: memory of both processes for each network, the time from
 * the operator's start until all is reconciled, latencies of REST, the time from a ready pod to the status, and what happens
 * while nothing happens. `WORKSPACES`, `TRANSACTIONS`, `RECORDINGS`, `SAMPLES` and `IDLE_SECONDS` set the rest.
 */
const argument = process.argv.find((text) => text.startsWith('--networks='))?.slice('--networks='.length);
const sizes = (argument ?? '1000,5000,10000').split(',').map(Number);
const workspaces = Number(process.env.WORKSPACES ?? 100);
const transactions = Number(process.env.TRANSACTIONS ?? 50_000);
const recordings = Number(process.env.RECORDINGS ?? 100);
const samples = Number(process.env.SAMPLES ?? 100);
const idleSeconds = Number(process.env.IDLE_SECONDS ?? 60);
/** What takes more than this much longer for each network than with the fewest networks grows faster than they do. */
const tolerance = 1.3;
const aim = { bytesPerNetwork: 6_000, cpuPercent: 1 };

type Networks = Reflector<NetworkResource>;

const isOperational = ({ status }: NetworkResource) => status?.state === 'Operational';

/** Resolves when `count` networks have been Operational. */
function allOperational(networks: Networks, count: number): Promise<void> {
  const seen = new Set(
    networks
      .list()
      .filter(isOperational)
      .map(({ metadata }) => metadata.uid),
  );
  if (seen.size >= count) return Promise.resolve();
  return new Promise((resolve) => {
    const leave = networks.onChange(({ object }) => {
      if (isOperational(object)) seen.add(object.metadata.uid);
      if (seen.size < count) return;
      leave();
      resolve();
    });
  });
}

/** The time from a ready pod to the network's status, one network after the other. */
async function timeToStatus(bed: Bed, networks: Networks, readyAt: ReadonlyMap<string, number>) {
  const times: number[] = [];
  const from = networks.list().length;
  for (let sample = 0; sample < samples; sample += 1) {
    const operationalAt = new Promise<[string, number]>((resolve) => {
      const leave = networks.onChange(({ object }) => {
        if (!isOperational(object) || !object.metadata.name.endsWith(String(from + sample))) return;
        leave();
        resolve([object.metadata.uid, performance.now()]);
      });
    });
    await createNetworks(bed, from + sample, from + sample + 1);
    const [uid, atMs] = await operationalAt;
    times.push(Math.max(0, atMs - (readyAt.get(uid) ?? atMs)));
  }
  return summary(times);
}

async function measure(count: number) {
  const bed = await startBed();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-scale-'));
  const chain = await startStillChain();
  const standIn = await startStandIn(bed.kube, chain);
  const networks = createReflector({ kube: bed.kube, type: networkType, log: silentLog, clock: systemClock });
  try {
    networks.start();
    await networks.whenSynced();
    await createKey(bed);
    const apiserver = await startMeasured(bed, 'apiserver', folder);
    const first = await startMeasured(bed, 'operator', folder);
    await first.logged('started leading');
    // The first networks also bring what a process needs once, such as compiled code.
    const warm = Math.ceil(count / 10);
    await createNetworks(bed, 0, warm);
    await allOperational(networks, warm);
    const before = { operator: await heapBytes(first), apiserver: await heapBytes(apiserver) };
    const createdMs = performance.now();
    await createNetworks(bed, warm, count);
    await allOperational(networks, count);
    const startSeconds = (performance.now() - createdMs) / 1_000;
    await allReconciled(first, count);
    const after = { operator: await heapBytes(first), apiserver: await heapBytes(apiserver) };
    await first.stop();

    await createWorkspaces(bed, workspaces);
    await createArchives(bed, networks.list(), transactions);
    await createRecordings(bed, Math.min(recordings, count));
    const restartMs = performance.now();
    const operator = await startMeasured(bed, 'operator', folder);
    await allReconciled(operator, count);
    const restartSeconds = (performance.now() - restartMs) / 1_000;
    const api = `${apiserver.url}/v1alpha/networks`;
    const [one] = networks.list();
    const rest = {
      list: await latencies(`${api}?limit=50`, bed.token),
      get: await latencies(`${api}/${one?.metadata.uid}`, bed.token),
    };
    const toStatus = await timeToStatus(bed, networks, standIn.readyAt);
    await delay(15_000);
    const idle = await watchIdle({ operator, apiserver, chain }, idleSeconds);
    const perNetwork = (name: 'operator' | 'apiserver') =>
      round((after[name] - before[name]) / (count - warm), 0);
    return {
      networks: count,
      bytesPerNetwork: { operator: perNetwork('operator'), apiserver: perNetwork('apiserver') },
      rssMiB: { operator: operator.usage().rssMiB, apiserver: apiserver.usage().rssMiB },
      startMsPerNetwork: round((startSeconds * 1_000) / (count - warm), 1),
      restart: {
        seconds: round(restartSeconds, 1),
        msPerNetwork: round((restartSeconds * 1_000) / count, 1),
        requests: await operator.requests(),
      },
      ...{ rest, toStatus, idle },
      etcdMiB: await bed.etcdMiB(),
    };
  } finally {
    await networks.stop();
    await standIn.stop();
    await bed.stop();
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Measured = Awaited<ReturnType<typeof measure>>;

/** What takes more for each network the more of them there are. */
function worseThanLinear([least, ...others]: Measured[]): string[] {
  const costs = (one: Measured): Record<string, number> => ({
    'operator bytes': one.bytesPerNetwork.operator,
    'apiserver bytes': one.bytesPerNetwork.apiserver,
    start: one.startMsPerNetwork,
    restart: one.restart.msPerNetwork,
  });
  if (!least) return [];
  return others.flatMap((one) =>
    Object.entries(costs(one))
      .filter(([name, value]) => value > (costs(least)[name] ?? 0) * tolerance)
      .map(
        ([name, value]) =>
          `${name}: ${costs(least)[name]} each of ${least.networks}, ${value} of ${one.networks}`,
      ),
  );
}

buildService();
const facts = factsNow();
const results: Measured[] = [];
for (const count of sizes) {
  results.push(await measure(count));
  console.log(JSON.stringify(results.at(-1), null, 2));
}
const report = {
  ...{ facts, aim, workspaces, transactions, recordings },
  ...{ results, worseThanLinear: worseThanLinear(results) },
};
console.log(JSON.stringify(report.worseThanLinear));
writeReport('scale', report);
