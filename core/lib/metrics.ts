import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

/** One metric as it is scraped. docs/metrics.md is generated from these. */
export interface MetricDefinition {
  type: 'counter' | 'gauge' | 'histogram';
  name: `slipway_${string}`;
  /** One sentence; names the unit unless the value is a count. */
  help: string;
  /** What each label holds. */
  labels?: Readonly<Record<string, string>>;
}

export type MetricTable = Readonly<Record<string, MetricDefinition>>;

type LabelOf<Definition> = Definition extends { labels: infer Labels } ? keyof Labels & string : never;

interface InstrumentTypes<Label extends string> {
  counter: Counter<Label>;
  gauge: Gauge<Label>;
  histogram: Histogram<Label>;
}

/** The instruments of a table: one per row, under the same key. */
type Instruments<Table extends MetricTable> = {
  readonly [Key in keyof Table]: InstrumentTypes<LabelOf<Table[Key]>>[Table[Key]['type']];
};

/** The Prometheus metrics of one process. */
export interface Metrics {
  /** The instruments of a table. Throws for a table that the process was not created with. */
  instruments<Table extends MetricTable>(table: Table): Instruments<Table>;
  /** The exposition text for a scrape, and its content type. */
  scrape(): Promise<{ contentType: string; text: string }>;
}

/** Every histogram is a duration, in seconds. */
const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function defineMetrics<Table extends MetricTable>(table: Table): Table {
  return table;
}

/**
 * The metrics of a process: those of `tables`, all registered at once, so that only what the tables list is exposed.
 * `hasDefaults` adds the process's default metrics (memory, CPU, event loop).
 */
export function createMetrics(
  tables: readonly MetricTable[],
  options: { hasDefaults?: boolean } = {},
): Metrics {
  const registry = new Registry();
  if (options.hasDefaults) collectDefaultMetrics({ register: registry });
  const registered = new Map(tables.map((table) => [table, register(table, registry)]));
  return {
    instruments<Table extends MetricTable>(table: Table) {
      const instruments = registered.get(table);
      if (!instruments)
        throw new Error(`metrics not registered in this process: ${namesOf(table).join(', ')}`);
      return instruments as Instruments<Table>;
    },
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function register(table: MetricTable, registry: Registry): Instruments<MetricTable> {
  return Object.fromEntries(
    Object.entries(table).map(([key, definition]) => [key, createInstrument(definition, registry)]),
  );
}

function createInstrument({ type, name, help, labels = {} }: MetricDefinition, registry: Registry) {
  const options = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  if (type === 'counter') return new Counter(options);
  if (type === 'gauge') return new Gauge(options);
  return new Histogram({ ...options, buckets: durationBuckets });
}

function namesOf(table: MetricTable): string[] {
  return Object.values(table).map(({ name }) => name);
}
