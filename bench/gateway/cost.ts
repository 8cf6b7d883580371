import { percentile, round } from '../lib/report.ts';
import { usageOf } from '../lib/usage.ts';
import type { OpenClient } from './clients.ts';
import { type LoadResult, runLoad } from './load.ts';

/** A proxy in front of the node, and the processes whose CPU time is its cost. */
export interface Peer {
  name: string;
  url: string;
  pids: readonly number[];
}

export interface CostCase {
  name: string;
  open: OpenClient;
  connections: number;
  body: string;
}

interface Costs {
  /** Microseconds of CPU time per call: the median of the rounds, the least and the most. */
  cpuMicros: number;
  leastMicros: number;
  mostMicros: number;
  callsPerSecond: number;
}

export interface CostRow {
  name: string;
  connections: number;
  rounds: number;
  calls: number;
  proxies: Record<string, Costs>;
  /** Calls per CPU second of the first proxy, compared with the second. */
  ratio: number;
}

interface Measured {
  result: LoadResult;
  micros: number;
}

async function measure(proxy: Peer, one: CostCase, durationMs: number): Promise<Measured> {
  const cpu = () => proxy.pids.reduce((sum, pid) => sum + usageOf(pid).cpuSeconds, 0);
  const before = cpu();
  const result = await runLoad({ ...one, url: proxy.url, durationMs });
  return { result, micros: ((cpu() - before) * 1_000_000) / result.calls };
}

function costsOf(rounds: readonly Measured[]): Costs {
  const micros = rounds.map((round) => round.micros);
  return {
    cpuMicros: round(percentile(micros, 0.5), 1),
    leastMicros: round(Math.min(...micros), 1),
    mostMicros: round(Math.max(...micros), 1),
    callsPerSecond: round(
      percentile(
        rounds.map(({ result }) => result.callsPerSecond),
        0.5,
      ),
      0,
    ),
  };
}

/** Sends the same calls through each proxy, in alternating rounds, and compares the CPU time per call of the first two. */
export async function compareCosts(
  proxies: readonly Peer[],
  one: CostCase,
  { rounds, durationMs }: { rounds: number; durationMs: number },
): Promise<CostRow> {
  const measured = new Map<string, Measured[]>(proxies.map(({ name }) => [name, []]));
  for (let turn = 0; turn < rounds; turn += 1) {
    const order = turn % 2 === 0 ? proxies : proxies.toReversed();
    for (const proxy of order) measured.get(proxy.name)?.push(await measure(proxy, one, durationMs));
  }
  const costs = proxies.map(({ name }) => [name, costsOf(measured.get(name) ?? [])] as const);
  const [first, second] = costs.map(([, { cpuMicros }]) => cpuMicros);
  const calls = [...measured.values()].flat().reduce((sum, { result }) => sum + result.calls, 0);
  const ratio = round((second ?? Number.NaN) / (first ?? Number.NaN));
  const { name, connections } = one;
  const text = costs.map(
    ([who, cost]) => `${who} ${cost.cpuMicros} µs (${cost.leastMicros} to ${cost.mostMicros})`,
  );
  console.log(`${name}, ${connections} connections: ${text.join(', ')}, ratio ${ratio}`);
  return { name, connections, rounds, calls, proxies: Object.fromEntries(costs), ratio };
}
