import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

/** A process's Prometheus metrics. Every name begins with `slipway_`; durations are in seconds. */
export interface Metrics {
  counter(name: string, help: string, labelNames?: string[]): Counter<string>;
  gauge(name: string, help: string, labelNames?: string[]): Gauge<string>;
  histogram(name: string, help: string, labelNames?: string[]): Histogram<string>;
  /** The exposition text for a scrape, and its content type. */
  scrape(): Promise<{ contentType: string; text: string }>;
}

const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A registry of its own, with the process's default metrics (memory, CPU, event loop) when asked. */
export function createMetrics(options: { hasDefaults?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.hasDefaults) collectDefaultMetrics({ register: registry });
  const common = (name: string, help: string, labelNames: string[]) => ({
    name: `slipway_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  return {
    counter: (name, help, labelNames = []) => new Counter(common(name, help, labelNames)),
    gauge: (name, help, labelNames = []) => new Gauge(common(name, help, labelNames)),
    histogram: (name, help, labelNames = []) =>
      new Histogram({ ...common(name, help, labelNames), buckets: durationBuckets }),
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
