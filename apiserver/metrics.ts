import { engineMetricTable } from '../core/engines/metrics.ts';
import { kubeMetricTable } from '../core/kube/metrics.ts';
import { heapMetricTable } from '../core/lib/liveHeap.ts';
import { tracingMetricTable } from '../core/tracing/metrics.ts';
import { eventMetricTable } from './events/metrics.ts';
import { featureMetricTables } from './features.ts';
import { gatewayMetricTable } from './gateway/metrics.ts';
import { budgetMetricTable } from './http/limits/budgetMetrics.ts';
import { httpMetricTable } from './http/pipeline/requestMetrics.ts';

/** All metrics that the apiserver exposes. */
export const apiserverMetricTables = [
  httpMetricTable,
  gatewayMetricTable,
  budgetMetricTable,
  kubeMetricTable,
  eventMetricTable,
  engineMetricTable,
  tracingMetricTable,
  heapMetricTable,
  ...featureMetricTables,
];
