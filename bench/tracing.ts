import { childSpan, type SpanStart } from '../core/tracing/spans.ts';
import { startTraced } from '../core/tracing/testing/traced.ts';
import { noTracer, type RootStart, type Tracer } from '../core/tracing/tracing.ts';

/**
 * What traces cost a process that has nothing else to do: nanoseconds for a request with two calls below it, and the memory and
 * time that the SDK takes to load. `node bench/tracing.ts`; for steady numbers on a machine that is not busy.
 */

const rounds = 9;
const perRound = 20_000;

const request: RootStart = {
  name: 'request',
  kind: 'server',
  attributes: {
    'http.request.method': 'POST',
    'http.route': '/v1alpha/networks',
    'slipway.operation': 'createNetwork',
  },
};
const call: SpanStart = { name: 'kube', kind: 'client', attributes: { 'slipway.kube.verb': 'create' } };

async function work(): Promise<void> {
  await childSpan(call, async (span) => span.set({ 'http.response.status_code': 201 }));
  await childSpan(call, async (span) => span.set({ 'http.response.status_code': 200 }));
}

/** What the same work takes without any of it. */
const bare: Tracer['run'] = async (_start, run) => {
  const nothing = { set: () => undefined, fail: () => undefined };
  await (async () => nothing.set())();
  await (async () => nothing.set())();
  return undefined as Awaited<ReturnType<typeof run>>;
};

async function nanosecondsOf(run: Tracer['run']): Promise<number> {
  const start = process.hrtime.bigint();
  for (let count = 0; count < perRound; count += 1) await run(request, work);
  return Number(process.hrtime.bigint() - start) / perRound;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const memoryBefore = process.memoryUsage().rss;
const loadStart = process.hrtime.bigint();
const traced = await startTraced();
const loadMs = Number(process.hrtime.bigint() - loadStart) / 1e6;
const loadMiB = (process.memoryUsage().rss - memoryBefore) / 1024 ** 2;
const unsampled = await startTraced({ settings: { sampling: 0 }, collector: traced.collector });
const modes: [string, Tracer['run']][] = [
  ['without any code for traces', bare],
  ['off', noTracer.run],
  ['on, not sampled', unsampled.tracer.run],
  ['on, sampled', traced.tracer.run],
];
const results = new Map(modes.map(([name]) => [name, [] as number[]]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, run] of modes) results.get(name)?.push(await nanosecondsOf(run));
}
for (const [name, values] of results) console.log(`${name}: ${Math.round(median(values))} ns`);
console.log(`the SDK: ${loadMs.toFixed(0)} ms and ${loadMiB.toFixed(1)} MiB to load`);
await unsampled.close();
await traced.stop();
process.exit();
