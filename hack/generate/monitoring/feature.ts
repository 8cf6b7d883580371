import type { MetricTable } from '../../../core/lib/metrics.ts';

/** A process and all that it may register. */
export interface ProcessMetrics {
  name: string;
  /** How to combine the metrics of its replicas. */
  note: string;
  tables: readonly MetricTable[];
}

/** Processes of a feature that have metrics. It is exported as `feature` by the monitoring/feature.ts of its folder. */
export interface MonitoringFeature {
  processes: readonly ProcessMetrics[];
}
