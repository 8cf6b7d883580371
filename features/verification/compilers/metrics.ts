import { budgetMetricTable } from '../../../apiserver/http/limits/budgetMetrics.ts';
import { heapMetricTable } from '../../../core/lib/liveHeap.ts';
import { defineMetrics, type Metrics } from '../../../core/lib/metrics.ts';

const compilerMetricTable = defineMetrics({
  compilations: {
    type: 'counter',
    name: 'slipway_compilations_total',
    help: 'Compilations of contracts for their verification.',
    labels: {
      outcome:
        'done, refused (no such compiler, or the workspace has too many waiting) or ended (it took more time, memory or output than it may)',
    },
  },
});

/** All metrics that the process with the compilers exposes. */
export const compilerMetricTables = [heapMetricTable, compilerMetricTable, budgetMetricTable];

export interface CompilerMetrics {
  compiled(outcome: 'done' | 'refused' | 'ended'): void;
}

export function createCompilerMetrics(metrics: Metrics): CompilerMetrics {
  const { compilations } = metrics.instruments(compilerMetricTable);
  return { compiled: (outcome) => compilations.inc({ outcome }) };
}
