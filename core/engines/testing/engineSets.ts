import { type ChartEngine, chartEngineSchema, type EngineName } from '../../api/engines.ts';
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
