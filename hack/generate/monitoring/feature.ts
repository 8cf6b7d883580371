import type { MetricTable } from '../../../core/lib/metrics.ts';
import type { Alert } from './alert.ts';
import type { Panel } from './panel.ts';

/** A process and all that it may register. */
export interface ProcessMetrics {
  name: string;
  /** How to combine the metrics of its replicas. */
  note: string;
  tables: readonly MetricTable[];
}

/** What a feature adds to alerts and the dashboard. It is exported as `feature` by the monitoring/feature.ts of its folder. */
export interface MonitoringFeature {
  alerts?: readonly Alert[];
  processes?: readonly ProcessMetrics[];
  /** Each at the end of a row, which is named by its title. */
  panels?: readonly (Panel & { row: string })[];
}
