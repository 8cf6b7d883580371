import { setTimeout as delay } from 'node:timers/promises';
import type { Bed } from '../lib/bed.ts';
import { round } from '../lib/report.ts';
import type { StillChain } from './chain.ts';
import { createNetworks, networkName } from './fill.ts';
import type { Follower } from './follow.ts';
import {
  allReconciled,
  heapBytes,
  latencies,
  type Measured,
  quietFor3s,
  startMeasured,
  storedMiB,
  summary,
  watchIdle,
} from './readings.ts';

export interface Scene {
  bed: Bed;
  chain: StillChain;
  follower: Follower;
  apiserver: Measured;
  operator: Measured;
  /** How many networks there are. */
  present: number;
  /** For what the processes write. */
  folder: string;
}

interface Settings {
  /** Networks that are created one after the other. */
  samples: number;
  idleSeconds: number;
  /** Each follows the chain of one network. */
  recordings: number;
  /** What else there is, made once the first networks run. */
  fill(scene: Scene): Promise<void>;
}

/** How long the creation of all networks of a size, or a restart with them, may take. */
const limitMs = 30 * 60_000;
const calls = 300;
/** After a restart, before it counts as idle: the first look at each chain comes after up to 30 s. */
const settleMs = 35_000;

async function within<T>(what: string, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = delay(limitMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`${what} took longer than ${limitMs / 60_000} minutes`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    ended.abort();
  }
}

/** Creates networks until there are `count`, and resolves once all of them are Operational and nothing is left to do. */
export async function createUpTo(scene: Scene, count: number): Promise<void> {
  const { bed, follower, operator, present } = scene;
  await createNetworks(bed, present, count);
  await within(`${count} networks`, follower.operational(count));
  await within('reconciling', allReconciled(operator, count - present));
  scene.present = count;
}

/** The times from a ready pod to the network's status, of `samples` networks created one after the other. */
async function statusDelays(scene: Scene, samples: number) {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    await createNetworks(scene.bed, scene.present, scene.present + 1);
    times.push(await scene.follower.statusDelayMs(networkName(scene.present)));
    scene.present += 1;
  }
  return { ...summary(times), samples };
}

/** The operator starts again, and all networks are there already. */
async function restart(scene: Scene) {
  await scene.operator.stop();
  const startMs = performance.now();
  scene.operator = await startMeasured(scene.bed, 'operator', scene.folder);
  await within('the restart', allReconciled(scene.operator, scene.present));
  const ms = performance.now() - startMs;
  return {
    seconds: round(ms / 1_000, 1),
    msPerNetwork: round(ms / scene.present),
    cpuSeconds: scene.operator.usage().cpuSeconds,
    requests: await scene.operator.requests(),
  };
}

/** Resolves once all recordings go on: each has a WebSocket to its node. */
async function allFollowed({ chain }: Scene, recordings: number): Promise<void> {
  while (chain.sockets() < recordings) await delay(100);
}

/** Adds networks until there are `count`, and measures what they cost. */
export async function measureSize(scene: Scene, count: number, settings: Settings) {
  const { bed, apiserver } = scene;
  const startedMs = performance.now();
  const heaps = async () => ({
    operator: await heapBytes(scene.operator),
    apiserver: await heapBytes(apiserver),
  });
  const from = scene.present;
  const before = await heaps();
  const [kubeBefore, operatorBefore] = [bed.kubeUsage().cpuSeconds, scene.operator.usage().cpuSeconds];
  await createUpTo(scene, count - settings.samples);
  const created = scene.present - from;
  const each = (value: number) => round((value * 1_000) / created, 1);
  const start = {
    created,
    msPerNetwork: each((performance.now() - startedMs) / 1_000),
    operatorCpuMs: each(scene.operator.usage().cpuSeconds - operatorBefore),
    kubeCpuMs: each(bed.kubeUsage().cpuSeconds - kubeBefore),
  };
  const toStatus = await statusDelays(scene, settings.samples);
  const after = await heaps();
  const added = scene.present - from;
  const peakRssMiB = { operator: scene.operator.usage().peakRssMiB, apiserver: apiserver.usage().peakRssMiB };
  await settings.fill(scene);
  await within('what was filled in', quietFor3s(scene.operator));
  const restarted = await restart(scene);
  await within('the recordings', allFollowed(scene, settings.recordings));
  const rest = await restLatencies(scene);
  await delay(settleMs);
  const idle = await watchIdle(scene, settings.idleSeconds);
  const bytesOf = (name: keyof typeof before) => round((after[name] - before[name]) / added, 0);
  return {
    networks: scene.present,
    bytesPerNetwork: { operator: bytesOf('operator'), apiserver: bytesOf('apiserver') },
    rssMiB: { operator: scene.operator.usage().rssMiB, apiserver: apiserver.usage().rssMiB },
    peakRssMiB,
    ...{ start, restart: restarted, rest, toStatus, idle },
    etcdMiB: await storedMiB(bed),
    seconds: round((performance.now() - startedMs) / 1_000, 0),
  };
}

async function restLatencies({ bed, apiserver, follower }: Scene) {
  const url = `${apiserver.url}/v1alpha/networks`;
  const [one] = follower.networks();
  return {
    calls,
    list: await latencies(`${url}?limit=50`, bed.token, calls),
    get: await latencies(`${url}/${one?.metadata.uid}`, bed.token, calls),
  };
}

export type SizeResult = Awaited<ReturnType<typeof measureSize>>;
