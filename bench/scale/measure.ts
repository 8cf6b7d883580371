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
}

/** What both processes keep, in bytes. */
interface Heaps {
  operator: number;
  apiserver: number;
}

/** How long the creation of all networks of a size, or a restart with them, may take. */
const limitMs = 30 * 60_000;
const calls = 300;
/** Before it counts as idle: for 90 s after a network was used, the operator asks for its last block. */
const settleMs = 95_000;

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

/**
 * Both processes start again, as in an upgrade, and all networks are there already. So they keep what the networks need, and
 * nothing of what ages, such as the log of events of the last ten minutes.
 */
async function restart(scene: Scene) {
  await Promise.all([scene.operator.stop(), scene.apiserver.stop()]);
  const startMs = performance.now();
  scene.operator = await startMeasured(scene.bed, 'operator', scene.folder);
  await within('the restart', allReconciled(scene.operator, scene.present));
  const ms = performance.now() - startMs;
  const cpuSeconds = scene.operator.usage().cpuSeconds;
  const againMs = performance.now();
  scene.apiserver = await startMeasured(scene.bed, 'apiserver', scene.folder);
  return {
    seconds: round(ms / 1_000, 1),
    msPerNetwork: round(ms / scene.present),
    cpuSeconds,
    apiserverSeconds: round((performance.now() - againMs) / 1_000, 1),
    requests: await scene.operator.requests(),
  };
}

/** Resolves once all recordings go on: each has a WebSocket to its node. */
async function allFollowed({ chain }: Scene, recordings: number): Promise<void> {
  while (chain.sockets() < recordings) await delay(100);
}

async function heapsOf({ operator, apiserver }: Scene): Promise<Heaps> {
  return { operator: await heapBytes(operator), apiserver: await heapBytes(apiserver) };
}

/** Starts both processes again, and resolves once nothing happens any more, to what they keep then. */
export async function settle(scene: Scene, recordings: number) {
  const restarted = await restart(scene);
  await within('the recordings', allFollowed(scene, recordings));
  const rest = await restLatencies(scene);
  await delay(settleMs);
  return { restarted, rest, heaps: await heapsOf(scene) };
}

/** Resolves once the operator writes nothing more: after its start it applies the Secrets of all networks, ten a second. */
async function untilAtRest({ operator }: Scene): Promise<void> {
  await delay(settleMs);
  const applied = async () => (await operator.requests()).apply;
  for (let before: number | undefined, now = await applied(); now !== before; now = await applied()) {
    before = now;
    await delay(2_000);
  }
}

async function start(scene: Scene, count: number) {
  const from = scene.present;
  const usage = () => [scene.operator.usage().cpuSeconds, scene.bed.kubeUsage().cpuSeconds] as const;
  const before = usage();
  const startedMs = performance.now();
  await createUpTo(scene, count);
  const ms = performance.now() - startedMs;
  const after = usage();
  const each = (value: number) => round(value / (scene.present - from), 1);
  return {
    created: scene.present - from,
    msPerNetwork: each(ms),
    operatorCpuMs: each((after[0] - before[0]) * 1_000),
    kubeCpuMs: each((after[1] - before[1]) * 1_000),
  };
}

/** Adds networks until there are `count`, and measures what they cost; `base` is what the processes kept before. */
export async function measureSize(scene: Scene, count: number, base: Heaps, settings: Settings) {
  const startedMs = performance.now();
  const from = scene.present;
  const started = await start(scene, count - settings.samples);
  const toStatus = await statusDelays(scene, settings.samples);
  const peakRssMiB = {
    operator: scene.operator.usage().peakRssMiB,
    apiserver: scene.apiserver.usage().peakRssMiB,
  };
  await within('the last writes', untilAtRest(scene));
  const idle = await watchIdle(scene, settings.idleSeconds);
  const { restarted, rest, heaps } = await settle(scene, settings.recordings);
  const bytesOf = (name: keyof Heaps) => round((heaps[name] - base[name]) / (scene.present - from), 0);
  return {
    networks: scene.present,
    bytesPerNetwork: { operator: bytesOf('operator'), apiserver: bytesOf('apiserver') },
    heaps,
    rssMiB: { operator: scene.operator.usage().rssMiB, apiserver: scene.apiserver.usage().rssMiB },
    peakRssMiB,
    start: started,
    restart: restarted,
    rest,
    toStatus,
    idle,
    etcdMiB: await storedMiB(scene.bed),
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
