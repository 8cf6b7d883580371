import type { Pod } from '../../core/kube/types.ts';
import { defineMetrics, type Metrics } from '../../core/lib/metrics.ts';
import { podStateOf } from '../network/decide/podState.ts';
import { isWaiting } from './waitingPod.ts';

export const warmMetricTable = defineMetrics({
  waiting: {
    type: 'gauge',
    name: 'slipway_warm_engines',
    help: 'Engine pods that wait for a network.',
    labels: { state: 'ready, or starting' },
  },
  starts: {
    type: 'counter',
    name: 'slipway_warm_engine_starts_total',
    help: 'Starts of networks whose engine could have been waiting.',
    labels: {
      outcome: 'adopted (a waiting pod), missed (none was ready), or failed (the adopted pod was replaced)',
    },
  },
});

export interface WarmMetrics {
  started(outcome: 'adopted' | 'missed' | 'failed'): void;
}

export function createWarmMetrics(metrics: Metrics): WarmMetrics {
  const { starts } = metrics.instruments(warmMetricTable);
  return { started: (outcome) => starts.inc({ outcome }) };
}

/** Counts the waiting pods. Call it before each scrape. */
export function createWarmCollector(metrics: Metrics, list: () => Iterable<Pod>): () => void {
  const { waiting } = metrics.instruments(warmMetricTable);
  return () => {
    waiting.reset();
    for (const pod of list()) {
      if (isWaiting(pod)) waiting.inc({ state: podStateOf(pod).phase === 'ready' ? 'ready' : 'starting' });
    }
  };
}
