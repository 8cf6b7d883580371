import type { Installation } from '../../api/installation.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { tracingMetricTable } from '../metrics.ts';
import { startTracing, type Tracing } from '../tracing.ts';
import { type Collector, startCollector } from './collector.ts';

export interface TracedOptions {
  settings?: Partial<Installation['tracing']>;
  headers?: string;
  service?: string;
  clock?: Clock;
  /** Instead of one of its own. */
  collector?: Collector;
}

export interface Traced extends Tracing {
  collector: Collector;
  /** Spans by their outcome. */
  counts(): Promise<Record<string, number>>;
  /** Sends what ended, and then ends the collector. */
  stop(): Promise<void>;
}

/** Tracing of a process, to a collector in memory. All such processes have the same key. */
export async function startTraced(options: TracedOptions = {}): Promise<Traced> {
  const collector = options.collector ?? (await startCollector());
  const metrics = createMetrics([tracingMetricTable]);
  const tracing = await startTracing({
    settings: {
      endpoint: collector.url,
      sampling: 1,
      trustCallers: true,
      hasHeaders: false,
      ca: '',
      ...options.settings,
    },
    headers: options.headers,
    service: options.service ?? 'test',
    pod: { name: 'pod-1', namespace: 'slipway-system' },
    accessKey: Buffer.alloc(32, 1),
    clock: options.clock ?? systemClock,
    log: silentLog,
    metrics,
  });
  return {
    ...tracing,
    collector,
    async counts() {
      const { text } = await metrics.scrape();
      const rows = text.matchAll(/slipway_trace_spans_total\{outcome="(\w+)"\} (\d+)/g);
      return Object.fromEntries([...rows].map(([, outcome, count]) => [outcome, Number(count)]));
    },
    async stop() {
      await tracing.close();
      if (!options.collector) await collector.close();
    },
  };
}
