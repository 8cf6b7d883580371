import { constants, PerformanceObserver } from 'node:perf_hooks';
import { createMetrics, defineMetrics, type Metrics, type MetricTable } from './metrics.ts';

export const heapMetricTable = defineMetrics({
  live: {
    type: 'gauge',
    name: 'slipway_live_heap_bytes',
    help: 'Bytes of the JavaScript heap in use after its last full garbage collection; 0 before the first one.',
  },
});

/** Follows what the heap holds that is not garbage: a process whose live heap grows for hours keeps too much. */
export function observeLiveHeap(metrics: Metrics, heapUsed = () => process.memoryUsage().heapUsed): void {
  const { live } = metrics.instruments(heapMetricTable);
  live.set(0);
  new PerformanceObserver((entries) => {
    const isFull = entries
      .getEntries()
      .some((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (isFull) live.set(heapUsed());
  }).observe({ entryTypes: ['gc'] });
}

/** The metrics of a process: its tables, `heapMetricTable` among them, and those of Node itself. */
export function createProcessMetrics(tables: readonly MetricTable[]): Metrics {
  const metrics = createMetrics(tables, { hasDefaults: true });
  observeLiveHeap(metrics);
  return metrics;
}

/** The kind of a collection is in the entry's `detail` (https://nodejs.org/api/perf_hooks.html). */
function kindOf(entry: object): unknown {
  const detail = 'detail' in entry ? entry.detail : undefined;
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
}
