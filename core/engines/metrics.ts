import { defineMetrics, type Metrics } from '../lib/metrics.ts';
import type { EngineSet } from './engineSet.ts';

export const engineMetricTable = defineMetrics({
  engines: {
    type: 'gauge',
    name: 'slipway_engines',
    help: 'Engines that this installation knows.',
    labels: { state: 'available, buildable, building, failed (the build), or missing' },
  },
  invalid: {
    type: 'gauge',
    name: 'slipway_engine_entries_invalid',
    help: 'Invalid entries about engines; the former ones stay in use.',
    labels: { object: 'name of the ConfigMap' },
  },
});

export interface EngineMetrics {
  setIs(set: EngineSet): void;
  invalidAre(object: string, count: number): void;
}

export function createEngineMetrics(metrics: Metrics): EngineMetrics {
  const { engines, invalid } = metrics.instruments(engineMetricTable);
  return {
    setIs({ images, offers, allowed }) {
      const known = Object.keys(allowed).length;
      const [available, offered] = [Object.keys(images).length, Object.values(offers)];
      const inState = (state: string) => offered.filter((offer) => offer.state === state).length;
      engines.set({ state: 'available' }, available);
      engines.set({ state: 'buildable' }, inState('Buildable'));
      engines.set({ state: 'building' }, inState('Building'));
      engines.set({ state: 'failed' }, inState('Failed'));
      engines.set({ state: 'missing' }, known - available - offered.length);
    },
    invalidAre: (object, count) => invalid.set({ object }, count),
  };
}
