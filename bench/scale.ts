import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildService, startBed } from './lib/bed.ts';
import { factsNow } from './lib/facts.ts';
import { writeReport } from './lib/report.ts';
import { startNodes } from './reconcile/nodes.ts';
import { startStillChain } from './scale/chain.ts';
import { createArchives, createKey, createRecordings, createWorkspaces } from './scale/fill.ts';
import { startFollower } from './scale/follow.ts';
import { createUpTo, measureSize, type Scene, type SizeResult, settle } from './scale/measure.ts';
import { quietFor3s, startMeasured } from './scale/readings.ts';
import { startSlices } from './scale/slices.ts';

/**
 * `node bench/scale.ts [--networks=1000,5000,10000]`: that many networks on one etcd and one kube-apiserver, which grow from
 * one size to the next, with 100 workspaces, 50,000 archived transactions and 100 recordings. Pods run on kwok's nodes, and
 * behind the Services are nodes whose chains stand still. Of each size: memory of both processes for each network, the time from the
 * operator's start until all is reconciled, latencies of REST, the time from a ready pod to the status, and what happens while
 * nothing happens. `WORKSPACES`, `TRANSACTIONS`, `RECORDINGS`, `SAMPLES` and `IDLE_SECONDS` set the rest.
 */
const argument = process.argv.find((text) => text.startsWith('--networks='))?.slice('--networks='.length);
const sizes = (argument ?? '1000,5000,10000')
  .split(',')
  .map(Number)
  .sort((a, b) => a - b);
const workspaces = Number(process.env.WORKSPACES ?? 100);
const transactions = Number(process.env.TRANSACTIONS ?? 50_000);
const recordings = Number(process.env.RECORDINGS ?? 100);
const samples = Number(process.env.SAMPLES ?? 100);
const idleSeconds = Number(process.env.IDLE_SECONDS ?? 60);
/** The first networks bring what a process needs once, such as compiled code; recordings follow them. */
const warm = 100;
/** What takes more than this much longer for each network than with the fewest networks grows faster than they do. */
const tolerance = 1.3;
const aim = { bytesPerNetwork: 6_000, cpuPercent: 1 };

/** What there is beside the networks, before they are measured. */
async function fill({ bed, follower, operator }: Scene): Promise<void> {
  await createWorkspaces(bed, workspaces);
  await createArchives(bed, follower.networks(), transactions);
  await createRecordings(bed, recordings);
  await quietFor3s(operator);
}

async function measureAll(onSize: (result: SizeResult) => void): Promise<void> {
  const bed = await startBed();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-scale-'));
  const stops = [bed.stop];
  try {
    const follower = await startFollower(bed);
    const chain = startStillChain(follower.chainIdOf);
    stops.unshift(follower.stop, chain.stop);
    stops.unshift(await startNodes(bed.kube, bed.kubeconfig), await startSlices(bed.kube, chain));
    await createKey(bed);
    const apiserver = await startMeasured(bed, 'apiserver', folder);
    const operator = await startMeasured(bed, 'operator', folder);
    await operator.logged('started leading');
    const scene: Scene = { bed, chain, follower, apiserver, operator, present: 0, folder };
    await createUpTo(scene, warm);
    await fill(scene);
    let { heaps } = await settle(scene, recordings);
    for (const size of sizes) {
      const result = await measureSize(scene, size, heaps, { samples, idleSeconds, recordings });
      heaps = result.heaps;
      onSize(result);
    }
  } finally {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What takes more for each network the more of them there are. */
function worseThanLinear([least, ...others]: SizeResult[]): string[] {
  const costs = (one: SizeResult): Record<string, number> => ({
    'operator bytes': one.bytesPerNetwork.operator,
    'apiserver bytes': one.bytesPerNetwork.apiserver,
    start: one.start.msPerNetwork,
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

const isTooSmall = sizes.some((size, index) => !(size > (sizes[index - 1] ?? warm) + samples));
if (isTooSmall)
  throw new Error(`--networks: each size must be more than ${samples} above ${warm} and the one before`);
buildService();
const facts = factsNow();
const results: SizeResult[] = [];
await measureAll((result) => {
  results.push(result);
  console.log(JSON.stringify(result, null, 2));
  writeReport('scale', {
    facts,
    aim,
    workspaces,
    transactions,
    recordings,
    tolerance,
    results,
    worseThanLinear: worseThanLinear(results),
  });
});
console.log(JSON.stringify(worseThanLinear(results)));
