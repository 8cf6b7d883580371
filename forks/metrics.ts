import { budgetMetricTable } from '../apiserver/http/limits/budgetMetrics.ts';
import type { ChainType } from '../core/api/resources/chainSpecs.ts';
import { heapMetricTable } from '../core/lib/liveHeap.ts';
import { defineMetrics, type Metrics } from '../core/lib/metrics.ts';

const type = 'chain type of the fork';
const source = "installation (one of its fork sources) or own (one that the workspace's network names)";

const forkMetricTable = defineMetrics({
  calls: {
    type: 'counter',
    name: 'slipway_fork_calls_total',
    help: 'Calls from the engines of forks.',
    labels: {
      type,
      source,
      outcome:
        'cached (answered from memory), joined (the same call was already in flight), asked (the source was asked), failed (the source has no answer) or refused (no engine needs the method)',
    },
  },
  sourceRequests: {
    type: 'counter',
    name: 'slipway_fork_source_requests_total',
    help: 'Requests to the sources of forks.',
    labels: { type, source, outcome: 'ok, repeated (it failed, and the source is asked again) or failed' },
  },
  cacheBytes: {
    type: 'gauge',
    name: 'slipway_fork_cache_bytes',
    help: 'Bytes of answers that are kept in memory.',
  },
});

/** All metrics that the fork proxy exposes. */
export const forkMetricTables = [heapMetricTable, forkMetricTable, budgetMetricTable];

export interface ForkMetrics {
  called(outcome: 'cached' | 'joined' | 'asked' | 'failed' | 'refused'): void;
  asked(outcome: 'ok' | 'repeated' | 'failed'): void;
}

export function createForkMetrics(metrics: Metrics) {
  const { calls, sourceRequests, cacheBytes } = metrics.instruments(forkMetricTable);
  return {
    of: (chainType: ChainType, whose: 'installation' | 'own'): ForkMetrics => ({
      called: (outcome) => calls.inc({ type: chainType, source: whose, outcome }),
      asked: (outcome) => sourceRequests.inc({ type: chainType, source: whose, outcome }),
    }),
    cacheBytes: (bytes: number) => cacheBytes.set(bytes),
  };
}
