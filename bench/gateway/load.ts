import { percentile, round } from '../lib/report.ts';
import type { OpenClient } from './clients.ts';

export interface LoadResult {
  calls: number;
  callsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Load {
  url: string;
  body: string;
  connections: number;
  durationMs: number;
  open: OpenClient;
}

/** Sends one call after another on each connection until the time is up. */
export async function runLoad({ url, body, connections, durationMs, open }: Load): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: connections }, () => open(url, body)));
  const latencies: number[] = [];
  const startMs = performance.now();
  const repeat = async ({ call }: (typeof clients)[number]): Promise<void> => {
    for (let sentMs = performance.now(); sentMs < startMs + durationMs; sentMs = performance.now()) {
      await call();
      latencies.push(performance.now() - sentMs);
    }
  };
  await Promise.all(clients.map(repeat));
  const seconds = (performance.now() - startMs) / 1000;
  await Promise.all(clients.map(({ close }) => close()));
  return {
    calls: latencies.length,
    callsPerSecond: latencies.length / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}

/** The median of each value over several rounds, and the number of all their calls. */
export function medianOf(results: LoadResult[]): LoadResult {
  const middle = (pick: (result: LoadResult) => number) => percentile(results.map(pick), 0.5);
  return {
    calls: results.reduce((sum, { calls }) => sum + calls, 0),
    callsPerSecond: round(
      middle((result) => result.callsPerSecond),
      0,
    ),
    p50Ms: round(
      middle((result) => result.p50Ms),
      3,
    ),
    p99Ms: round(
      middle((result) => result.p99Ms),
      3,
    ),
  };
}
