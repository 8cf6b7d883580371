import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../e2e/lib/networks.ts';
import { call, freshName, until } from '../e2e/lib/service.ts';
import { desynchronize, type Engine, engineOf, measureKubectl, removeFiles } from './lib/engine.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';
import { compareStarts, isOnWaitingPod, type Sample, untilOneWaits } from './lib/waiting.ts';

/**
 * The response time of the first RPC call to a stopped network, compared with `kubectl run` of the same image and chain
 * settings until its RPC responds. The two alternate in one run; `SAMPLES` sets how often. The networks are created
 * first and stop on their own; with many of them, the installation has to stop many a minute: `VALUES=bench/values.yaml make up`.
 */
const samples = Number(process.env.SAMPLES ?? 20);
const aims = { warm: 0.15, cold: 1.2 };
const stopLimitMs = 180_000;

interface Sleeper {
  id: string;
  url: string;
}

async function createNetworks(keyName: string): Promise<{ sleepers: Sleeper[]; engine: Engine }> {
  const sleepers: Sleeper[] = [];
  let engine: Engine | undefined;
  while (sleepers.length < samples) {
    const chain = { privateKeyRef: { name: keyName } };
    const { body } = await createNetwork(chain, freshName('net'), { idleAfter: '1m' });
    await reach(body.id, 'Operational');
    const { rpc } = await endpointsOf(body.id);
    if (!rpc) throw new Error('the network has no rpc endpoint');
    sleepers.push({ id: body.id, url: rpc });
    engine ??= await engineOf(body.id);
  }
  if (!engine) throw new Error('nothing to measure');
  return { sleepers, engine };
}

/** Listing networks does not count as activity, so it does not wake them. */
async function untilStopped(sleepers: Sleeper[]): Promise<void> {
  const query = new URLSearchParams({ selector: 'status.state == Stopped', limit: '500' });
  const stopped = async () => {
    const { body } = await call('GET', `/v1alpha/networks?${query}`);
    const ids = new Set(body.items.map(({ id }: { id: string }) => id));
    return sleepers.filter(({ id }) => ids.has(id)).length;
  };
  await until('all networks to stop', stopped, (count) => count === sleepers.length, stopLimitMs);
}

/** Sends one call, which the gateway holds until the engine is ready. */
async function measureWake({ id, url }: Sleeper): Promise<Sample> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const startMs = performance.now();
  const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const text = await answer.text();
  const ms = performance.now() - startMs;
  if (!answer.ok || !JSON.parse(text).result) throw new Error(`${answer.status}: ${text}`);
  return { ms, isWarm: await isOnWaitingPod(id) };
}

const { name: keyName } = await createHotKey();
const loadBefore = loadNow();
const { sleepers, engine } = await createNetworks(keyName);
const wake: Sample[] = [];
const bare: number[] = [];
try {
  await untilStopped(sleepers);
  for (const sleeper of sleepers) {
    await desynchronize();
    bare.push(await measureKubectl(engine));
    await untilOneWaits();
    await desynchronize();
    wake.push(await measureWake(sleeper));
    // Otherwise woken networks would stop again one by one and disturb the measurements.
    await remove(sleeper.id);
    const [bareMs, wakeMs] = [bare.at(-1), wake.at(-1)?.ms].map((ms) => round(ms ?? Number.NaN, 0));
    console.log(
      `${wake.length}/${samples}: kubectl run ${bareMs} ms, wake ${wakeMs} ms${wake.at(-1)?.isWarm ? ' on a pod that waited' : ''}`,
    );
  }
} finally {
  for (const { id } of sleepers.slice(wake.length)) await call('DELETE', `/v1alpha/networks/${id}`);
  await removeFiles();
}
const sumUp = (values: number[]) => ({
  p50Ms: round(percentile(values, 0.5), 0),
  p99Ms: round(percentile(values, 0.99), 0),
});
const ratio = round(
  percentile(
    wake.map(({ ms }) => ms),
    0.5,
  ) / percentile(bare, 0.5),
);
const report = { aims, samples, loadBefore, ratio, ...compareStarts(wake, bare), kubectlRun: sumUp(bare) };
console.log(JSON.stringify(report));
writeReport('wake', report);
