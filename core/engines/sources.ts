import {
  type AvailableEngine,
  availableEngineSchema,
  type ChartEngine,
  chartEngineSchema,
} from '../api/engines.ts';
import type { ConfigMap } from '../kube/types.ts';
import { type Entries, readEntries } from './entries.ts';

/** The latest content of one of the ConfigMaps. */
export interface Source<Entry> {
  /** Takes a new version of the object; undefined when it was deleted. Returns what is wrong with it, as text. */
  take(object: ConfigMap | undefined): string[];
  /** Undefined before the first object. */
  entries(): Entries<Entry> | undefined;
}

/**
 * What the chart wants. A release that is rolled back to a version without this object deletes it while processes of this one
 * still run: they continue with what they know.
 */
export function createChartSource(): Source<ChartEngine> {
  let entries: Entries<ChartEngine> | undefined;
  return {
    take(object) {
      if (!object) return [];
      const former = entries ?? {};
      const read = readEntries(object.data ?? {}, chartEngineSchema, former);
      const dev = read.entries['evm-dev'];
      const hasDev = dev?.image !== undefined;
      const keptDev = former['evm-dev'] ?? dev;
      entries = hasDev || !keptDev ? read.entries : { ...read.entries, 'evm-dev': keptDev };
      const isNamed = read.problems.some((problem) => problem.startsWith('evm-dev:'));
      return hasDev || isNamed ? read.problems : [...read.problems, 'evm-dev: an image is required'];
    },
    entries: () => entries,
  };
}

/** What is available. Without the object, nothing is. */
export function createAvailableSource(): Source<AvailableEngine> {
  let entries: Entries<AvailableEngine> = {};
  return {
    take(object) {
      const read = readEntries(object?.data ?? {}, availableEngineSchema, entries);
      entries = read.entries;
      return read.problems;
    },
    entries: () => entries,
  };
}
