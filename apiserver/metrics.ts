import { kubeMetricTable } from '../core/kube/metrics.ts';
import { gatewayMetricTable } from './gateway/metrics.ts';
import { httpMetricTable } from './http/pipeline/requestMetrics.ts';

/** All metrics that the apiserver exposes. */
export const apiserverMetricTables = [httpMetricTable, gatewayMetricTable, kubeMetricTable];
