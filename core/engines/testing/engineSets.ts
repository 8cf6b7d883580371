import { type ChartEngine, chartEngineSchema, type EngineName, engineNames } from '../../api/engines.ts';
import { engineObjects } from '../../api/names.ts';
import type { ConfigMap } from '../../kube/types.ts';
import { type EngineSet, mergeEngines } from '../engineSet.ts';
import type { EngineWatch } from '../engineWatch.ts';

/** A set with these images, and nothing on offer. */
export function aSetOf(images: Partial<Record<EngineName, string | object>>): EngineSet {
  const entries = Object.entries(images).map(([name, given]): [string, ChartEngine] => {
    const facts = typeof given === 'string' ? { image: given } : given;
    return [name, chartEngineSchema.parse({ image: `${name}:1`, ...facts })];
  });
  return mergeEngines({ chart: Object.fromEntries(entries), available: {}, hasBuilder: false });
}

/** Engines that a test changes. */
export interface ChangingEngines extends Pick<EngineWatch, 'current' | 'onChange'> {
  become(set: EngineSet): void;
}

export function changingEngines(first: EngineSet): ChangingEngines {
  const listeners = new Set<() => void>();
  let current = first;
  return {
    current: () => current,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    become(set) {
      current = set;
      for (const listener of listeners) listener();
    },
  };
}

/** Engines that stay the same. */
export const fixedEngines = (set: EngineSet): Pick<EngineWatch, 'current' | 'onChange'> =>
  changingEngines(set);

/** The ConfigMap of the chart, which knows all engines, and has an image of evm-dev alone. */
export function chartObject(namespace: string): ConfigMap {
  const entries = engineNames.map((name) => [name, name === 'evm-dev' ? { image: 'evm-dev' } : {}] as const);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: engineObjects.chart },
    data: Object.fromEntries(entries.map(([name, entry]) => [name, JSON.stringify(entry)])),
  };
}
