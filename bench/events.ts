import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { networkType } from '../core/api/resources/resources.ts';
import { inParallel } from '../core/lib/work/inParallel.ts';
import { type Bed, buildService, startBed } from './lib/bed.ts';
import { aNetwork, aStatus } from './lib/networks.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';

/**
 * Streams of events over two replicas: the time from the write of a status to the arrival of its event at each client,
 * and what the streams cost. For comparison, the same time to one watch of kube-apiserver. Uses a private kube-apiserver
 * and two built apiservers; all clients are in this process, so the latency includes its work. `STREAMS` sets the number
 * of clients, `EVENTS` how many changes are measured, `PAUSE_MS` the time between two.
 */
const streams = Number(process.env.STREAMS ?? 1_000);
const changes = Number(process.env.EVENTS ?? 200);
const pauseMs = Number(process.env.PAUSE_MS ?? 100);
const marker = /"message":"at (\d+)"/g;
const nowMs = () => performance.timeOrigin + performance.now();

buildService();
const bed: Bed = await startBed();
const latencies: number[] = [];
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

/** One client. It keeps nothing of what it receives but the times. */
async function follow(url: string): Promise<void> {
  const headers = { Authorization: `Bearer ${bed.token}` };
  const request = get(`${url}/v1alpha/events?types=network.*`, { agent, headers });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`the stream was refused: ${answer.statusCode}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  let rest = '';
  answer.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    const end = rest.lastIndexOf('\n\n') + 2;
    if (end < 2) return;
    const whole = rest.slice(0, end);
    rest = rest.slice(end);
    if (whole.includes('"type":"stream.ready"')) resolve();
    for (const [, at] of whole.matchAll(marker)) latencies.push(nowMs() - Number(at) / 1000);
  });
  await promise;
}

/** The same times at one watch of kube-apiserver. */
function watchDirectly(resourceVersion: string) {
  const stop = new AbortController();
  const times: number[] = [];
  const run = async () => {
    const options = { namespace: bed.namespace, resourceVersion, signal: stop.signal };
    for await (const event of bed.kube.watch(networkType, options)) {
      if (event.type === 'BOOKMARK') continue;
      const at = event.object.status?.message?.slice('at '.length);
      if (at) times.push(nowMs() - Number(at) / 1000);
    }
  };
  const ended = run();
  return {
    times,
    async stop() {
      stop.abort();
      await ended;
    },
  };
}

const summary = (times: readonly number[]) => ({
  p50Ms: round(percentile(times, 0.5)),
  p99Ms: round(percentile(times, 0.99)),
  maxMs: round(Math.max(...times.slice(0, 100_000))),
});

try {
  const network = await bed.kube.create(networkType, aNetwork(bed.namespace, 0));
  const replicas = [await bed.start('apiserver'), await bed.start('apiserver')];
  const idle = replicas.map((replica) => replica.usage());
  const urls = Array.from({ length: streams }, (_, index) => replicas[index % replicas.length]?.url ?? '');
  await inParallel(urls, 50, follow);
  const open = replicas.map((replica) => replica.usage());
  const loadBefore = loadNow();
  const { resourceVersion } = await bed.kube.list(networkType);
  const watch = watchDirectly(resourceVersion);
  for (let change = 0; change < changes; change += 1) {
    const message = `at ${Math.round(nowMs() * 1000)}`;
    const status = { ...aStatus(network, 0), message };
    await bed.kube.patch(networkType, network.metadata, { status }, 'status');
    await delay(pauseMs);
  }
  while (latencies.length < streams * changes) await delay(100);
  const after = replicas.map((replica) => replica.usage());
  const report = {
    streams,
    changes,
    pauseMs,
    events: latencies.length,
    loadBefore,
    toClient: summary(latencies),
    toWatch: summary(watch.times),
    replicas: replicas.map((_, index) => ({
      rssMiBWithoutStreams: idle[index]?.rssMiB,
      rssMiBWithStreams: open[index]?.rssMiB,
      peakRssMiB: after[index]?.peakRssMiB,
      cpuMsPerThousandEvents: round(
        ((after[index]?.cpuSeconds ?? 0) - (open[index]?.cpuSeconds ?? 0)) *
          1000 *
          (1000 / (latencies.length / replicas.length)),
      ),
    })),
  };
  console.log(JSON.stringify(report, null, 2));
  writeReport('events', report);
  await watch.stop();
} finally {
  agent.destroy();
  await bed.stop();
}
